"""The catalogue of codes: what each fault, refusal and finding means, in two languages."""
