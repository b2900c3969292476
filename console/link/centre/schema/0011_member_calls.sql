-- The calls of a member: one function a call, one transaction each (docs/link-rules.md, 1.2 and 3).

CREATE FUNCTION link.join(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'join');
END
$$;

CREATE FUNCTION link.leave(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'leave');
END
$$;

CREATE FUNCTION link.open(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'open');
END
$$;

CREATE FUNCTION link.deliver(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'deliver');
END
$$;

CREATE FUNCTION link.claim(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'claim');
END
$$;

CREATE FUNCTION link.agree(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'agree');
END
$$;

CREATE FUNCTION link.cancel(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'cancel');
END
$$;

CREATE FUNCTION link.close(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'close');
END
$$;
