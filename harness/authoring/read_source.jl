# Prints what is known of the file that the first argument names; it is parsed, never run. The second is probe.jl.
include(ARGS[2])

const OWN = Set{String}()
const CALLS = Vector{String}[]
const ONLY = Ref(true)
const SEPARATOR = "\x1f"

row(parts...) = println(join(parts, "\t"))
text_of(e) = replace(string(e), r"[\t\n\x1f]" => " ")

unwrapped(signature) = signature isa Expr && signature.head in (:where, :(::)) ? unwrapped(signature.args[1]) : signature
function defines(e)
    e isa Expr && e.head in (:function, :(=)) && length(e.args) == 2 || return false
    signature = unwrapped(e.args[1])
    return signature isa Expr && signature.head === :call && signature.args[1] isa Symbol
end
name_of(e) = string(unwrapped(e.args[1]).args[1])
statements_of(body) = body isa Expr && body.head === :block ? filter(x -> !(x isa LineNumberNode), body.args) : Any[body]

argument(e::Symbol) = (string(e), false)
function argument(e::Expr)
    e.head === :kw && return (argument(e.args[1])[1], true)
    e.head === :(::) && return (string(e.args[1]), false)
    e.head === :(...) && return (argument(e.args[1])[1], true)
    return (text_of(e), false)
end

symbol_or_nothing(e) = e isa Symbol ? string(e) : ""
function returned(e)
    e isa Expr && e.head === :return && return returned(e.args[1])
    e isa Symbol && return ([string(e)], false)
    e isa Expr && e.head === :(=) && e.args[1] isa Symbol && return ([string(e.args[1])], false)
    if e isa Expr && e.head === :tuple && !isempty(e.args)
        items = e.args[1] isa Expr && e.args[1].head === :parameters ? e.args[1].args : e.args
        keyed = all(item -> item isa Expr && item.head in (:(=), :kw), items)
        keyed && return ([string(item.args[1]) for item in items], true)
        return (map(symbol_or_nothing, items), false)
    end
    return ([""], false)
end

is_own(e) = e isa Expr && e.head === :call && e.args[1] isa Symbol && string(e.args[1]) in OWN
passed(e, key) = join(passed_parts(e, key), SEPARATOR)
function passed_parts(e, key)
    e isa Symbol && return ("name", e, "", key)
    is_own(e) && return ("name", call_of(e, String[]), "", key)
    e isa Expr && e.head === :. && e.args[1] isa Symbol && return ("item", e.args[1], e.args[2].value, key)
    e isa Real && !(e isa Bool) && return ("number", e, "", key)
    e isa Expr && e.head === :call && e.args[1] === :- && length(e.args) == 2 && e.args[2] isa Real && return ("number", "-$(e.args[2])", "", key)
    value_of(e, String[])
    return ("other", text_of(e), "", key)
end
function call_of(e, targets)
    given = String[]
    for part in e.args[2:end]
        if part isa Expr && part.head === :parameters
            foreach(each -> push!(given, each isa Expr ? passed(each.args[2], each.args[1]) : passed(each, each)), part.args)
        elseif part isa Expr && part.head === :kw
            push!(given, passed(part.args[2], part.args[1]))
        else
            push!(given, passed(part, ""))
        end
    end
    isempty(targets) && (targets = ["#$(length(CALLS) + 1)"])
    push!(CALLS, [string(e.args[1]), join(targets, SEPARATOR), given...])
    return targets[1]
end
function value_of(e, targets)
    is_own(e) && return (call_of(e, targets); nothing)
    e isa Symbol || e isa LineNumberNode || (ONLY[] = false)
    e isa Expr && !(e.head in (:->, :quote)) && foreach(part -> value_of(part, String[]), e.head === :call ? e.args[2:end] : e.args)
    return
end
function targets_of(e)
    e isa Symbol && return [string(e)]
    e isa Expr && e.head === :tuple && all(part -> part isa Symbol, e.args) && return map(string, e.args)
    return String[]
end
function statement_of(e)
    if !(e isa Expr)
        e isa Symbol || e isa LineNumberNode || e === nothing || (ONLY[] = false)
    elseif defines(e) || e.head !== :block && HarnessProbe.kind_of(e) in ("import", "definition")
        return
    elseif e.head in (:for, :while, :let, :macrocall)
        ONLY[] = false
    elseif e.head === :if || e.head === :block
        e.head === :if && (ONLY[] = false)
        foreach(statement_of, statements_of(e.head === :if ? e.args[2] : e))
    elseif e.head === :return
        e.args[1] isa Expr && e.args[1].head === :tuple ? foreach(part -> value_of(part, String[]), e.args[1].args) : value_of(e.args[1], String[])
    elseif e.head in (:(=), :const, :local)
        inner = e.head === :(=) ? e : e.args[1]
        inner isa Expr && inner.head === :(=) && value_of(inner.args[2], targets_of(inner.args[1]))
    else
        value_of(e, String[])
    end
    return
end
# The variables that statements set, those of loops too, and those of which elements are set.
function sets(e, found)
    e isa Expr || return
    if e.head in (:(=), :+=, :-=, :*=, :/=, :.=)
        target = e.args[1] isa Expr && e.args[1].head === :ref ? e.args[1].args[1] : e.args[1]
        append!(found, targets_of(target))
    elseif e.head === :call && e.args[1] isa Symbol && endswith(string(e.args[1]), "!")
        append!(found, [string(part) for part in e.args[2:end] if part isa Symbol])
    end
    foreach(part -> sets(part, found), e.args)
end
function block(name, statements)
    ONLY[] = true
    rows = String[]
    for (line, statement) in statements
        empty!(CALLS)
        statement_of(statement)
        append!(rows, [join(["call", name, line, call...], "\t") for call in CALLS])
    end
    row("block", name, Int(ONLY[] && !isempty(rows)))
    all_set = String[]
    foreach(((_, statement),) -> sets(statement, all_set), statements)
    for (_, e) in statements
        e isa Expr && e.head in (:const, :local) && (e = e.args[1])
        e isa Expr && e.head === :(=) && e.args[1] isa Symbol && count(==(string(e.args[1])), all_set) == 1 &&
            row("constant", name, e.args[1], text_of(e.args[2]))
    end
    foreach(println, rows)
end

# What is taken by name of variables: d.age, d["age"], d[:age].
function taken(e, found = Tuple{String,String}[])
    e isa Expr || return found
    if e.head in (:., :ref) && length(e.args) == 2 && e.args[1] isa Symbol
        key = e.args[2] isa QuoteNode ? e.args[2].value : e.args[2]
        key isa Union{AbstractString,Symbol} && (key isa AbstractString || e.args[2] isa QuoteNode) &&
            push!(found, (string(e.args[1]), string(key)))
    end
    foreach(part -> taken(part, found), e.args)
    return found
end

# Where the first statement begins that cannot be parsed; a message of a Julia before 1.10 need not say it.
function line_of_error(code)
    at = firstindex(code)
    while at <= lastindex(code)
        begun = findnext(!isspace, code, at)
        begun === nothing && break
        e, after = Meta.parse(code, begun; raise = false)
        e isa Expr && e.head in (:error, :incomplete) && return 1 + count(==('\n'), SubString(code, 1, prevind(code, begun)))
        after <= at && break
        at = after
    end
    return ""
end

function main(path)
    code = read(path, String)
    parsed, at = Tuple{Int,Any}[], 1
    for piece in HarnessProbe.pieces(code)
        if piece isa LineNumberNode
            at = piece.line
        elseif piece isa Expr && piece.head in (:error, :incomplete)
            said = text_of(piece.args[1])
            found = match(r"chunk:(\d+)", said)
            return row("error", found === nothing ? line_of_error(code) : found[1], said)
        elseif piece !== nothing
            # A docstring, or a macro such as @inline, stands around what it describes.
            inside = piece isa Expr && piece.head === :macrocall ? piece.args[end] : piece
            push!(parsed, (at, defines(inside) ? inside : piece))
        end
    end
    foreach(((_, e),) -> defines(e) && push!(OWN, name_of(e)), parsed)
    for (line, e) in parsed
        defines(e) || continue
        signature = unwrapped(e.args[1])
        # Arguments after a semicolon cannot be given by position, and have defaults as a rule.
        arguments = [argument(part) for part in signature.args[2:end] if !(part isa Expr && part.head === :parameters)]
        defaults = [part isa Expr && part.head === :kw ? text_of(part.args[2]) : "" for part in signature.args[2:end] if !(part isa Expr && part.head === :parameters)]
        statements = statements_of(e.args[2])
        names, keyed = isempty(statements) ? ([""], false) : returned(last(statements))
        row("function", name_of(e), line, join(first.(arguments), SEPARATOR), join(Int.(last.(arguments)), SEPARATOR), join(names, SEPARATOR), Int(keyed), join(defaults, SEPARATOR))
        for (name, key) in unique(taken(e.args[2]))
            name in first.(arguments) && row("key", name_of(e), name, key)
        end
        block(name_of(e), [(line, statement) for statement in statements])
    end
    block("", parsed)
    HarnessProbe.statements(code)
end

main(ARGS[1])
