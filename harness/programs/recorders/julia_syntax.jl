# What expressions of Julia read and do, where in the program they stand, and which of them a value can be taken from.

mutable struct Context
    file::String
    line::Int
    fn::String
    control::Vector{Int}
    loops::Int
    elements::Vector{Pair{Symbol,Int}}
    parts::Vector{Int}
    # What comprehensions go over; functions around this one, from the inside; its variables, and those of others
    # that it sees.
    over::Vector{Any}
    around::Vector{String}
    own::Set{Symbol}
    outer::Set{Symbol}
end
const AT = Context("", 1, "", Int[], 0, Pair{Symbol,Int}[], Int[], Any[], String[], Set{Symbol}(), Set{Symbol}())
const FRAME = Symbol("#hr_frame")

walk(visit, e) = (visit(e); e isa Expr && foreach(item -> walk(visit, item), e.args); nothing)
dotted(e) = e isa Symbol ? string(e) : e isa Expr && e.head === :. && length(e.args) == 2 && e.args[2] isa QuoteNode ?
    (inner = dotted(e.args[1]); isempty(inner) ? "" : "$inner.$(e.args[2].value)") : ""
root(e) = e isa Expr && e.head in (:ref, :.) ? root(e.args[1]) : e

function reads_of(e)
    found = String[]
    walk(e) do item
        name = dotted(item)
        isempty(name) || push!(found, name)
    end
    filter(name -> !startswith(name, "#"), unique(found))
end
function operators_of(e)
    found = String[]
    walk(e) do item
        if item isa Expr && item.head in (:call, :.) && !isempty(item.args)
            name = string(item.args[1])
            name == "-" && length(item.args) == 2 && (name = "neg")
            item.head === :. && length(item.args) == 2 && item.args[2] isa QuoteNode && return
            push!(found, name)
        elseif item isa Expr && item.head in (Symbol("'"), :comparison, :&&, :||, :ref)
            item.head === :comparison ? append!(found, string.(item.args[2:2:end])) : push!(found, string(item.head))
        elseif item isa Number && !(item isa Bool)
            push!(found, "#$(isinteger(item) && abs(item) < 1e15 ? Int(item) : item)")
        end
    end
    unique(filter(name -> !occursin(r"\s", name), found))
end
# Whether what a function sets is a variable of a function around it, or of the program.
beyond(kind, name) = kind in ("set", "element", "container") && Symbol(first(split(name, ('.', '[')))) in AT.outer
function site(kind, name, e, parts = Int[], element = "")
    isempty(AT.over) || e === nothing || (e = Expr(:tuple, e, AT.over...))
    number = SITES[] += 1
    push!(COUNTS, 0)
    push!(BYTES, 0)
    say("S", number, AT.file, AT.line, kind, clean(name), AT.fn, join(reads_of(e), ' '), join(operators_of(e), ' '), join(vcat(AT.control, parts), ' '),
        join(AT.around, ' '), Int(beyond(kind, name)), clean(element))
    return number
end
frame() = isempty(AT.fn) ? 0 : FRAME
call(hook, number, e) = Expr(:call, GlobalRef(HarnessRecorder, hook), frame(), number, e)
is_function(e) = e isa Expr && (e.head === :-> || e.head === :function)
is_signature(e) = e isa Expr && (e.head === :call || (e.head in (:where, :(::)) && is_signature(e.args[1])))
const PRINTING = (:println, :print, :show, :display, :string, :round, :rpad, :lpad)

# What they make is no data, or just what they were given.
const NO_DATA = Set([:(:), :length, :size, :zeros, :ones, :similar, :copy, :string, :println, :print, :Ref, :eachindex, :axes, :enumerate,
    :zip, :range, :collect, :fill, :Vector, :Array, :Dict, :Set, :typeof, :isa, :eltype, :get, :keys, :values, :open, :split, :strip, :join,
    :readlines, :readline, :eachline, :push!, :error, :throw, :lowercase, :uppercase, :replace, :pairs, :eachrow, :eachcol, :skip, :transpose,
    :adjoint, :seed!, :MersenneTwister, :iterate, :isempty, :ndims, :undef, :Tuple, :NamedTuple, :(=>), :view, :haskey, :parse, :convert, :new])
const SLICING = (:(:), :>, :<, :>=, :<=, :(==), :!=, :.>, :.<, :.>=, :.<=, :.==, :.!=, :sortperm, :findall)

function is_part(e)
    e isa Expr || return false
    if e.head === :call
        name = e.args[1]
        name isa Symbol || return !isempty(dotted(name))
        name in NO_DATA && return false
        return !(name in (:-, :+) && length(e.args) == 2 && e.args[2] isa Number) && length(e.args) > 1 && !endswith(string(name), "!")
    elseif e.head === :.
        return length(e.args) == 2 && e.args[2] isa Expr && e.args[2].head === :tuple
    elseif e.head === :ref
        return any(item -> item === :(:) || item isa Expr && item.head === :call && item.args[1] in SLICING, e.args[2:end])
    end
    return e.head in (:comparison, :comprehension)
end

# A piece of an expression; what it gives is recorded.
function piece(e)
    e isa Expr || return e
    e.head in (:kw, :parameters, :...) && return Expr(e.head, e.head === :kw ? e.args[1] : piece(e.args[1]), map(piece, e.args[2:end])...)
    is_part(e) || return inside(e)
    outer = AT.parts
    AT.parts = Int[]
    done = inside(e)
    text = replace(string(e), r"\s+" => " ")
    number = site("part", length(text) > 48 ? first(text, 45) * "..." : text, e, AT.parts)
    AT.parts = push!(outer, number)
    return call(:part, number, done)
end

# A signature that records what parameters are where nothing is given for them; the sites by their names.
function with_defaults(e, found)
    e isa Expr && e.head in (:where, :(::), :call, :parameters, :kw) || return e
    e.head in (:where, :(::)) && return Expr(e.head, with_defaults(e.args[1], found), e.args[2:end]...)
    e.head === :kw || return Expr(e.head, e.args[1:(e.head === :call)]..., (item isa Expr && item.head === :(::) ? item : with_defaults(item, found) for item in e.args[1+(e.head===:call):end])...)
    name, value = names_of(e.args[1]), e.args[2]
    length(name) == 1 && (value isa Number || value isa Expr && value.head in (:call, :vect, :ref)) || return e
    number = found[name[1]] = site("default", string(name[1]), value)
    return Expr(:kw, e.args[1], Expr(:call, GlobalRef(HarnessRecorder, :default), number, value))
end
