"""The coin rail of ccTalk acceptors."""
