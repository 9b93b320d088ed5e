# Assignments: what is set is recorded, a variable, an element, or several of them at once.

function assignment(e, last)
    target, value = e.args[1], e.args[2]
    if is_signature(target)
        return Any[a_function(e, "function")]
    end
    if target isa Symbol && is_function(value)
        return Any[Expr(:(=), target, a_function(value, string(target)))]
    end
    if e.head !== :(=) && !startswith(string(e.head), ".")
        # x += v is x = x + v.
        operator = Symbol(string(e.head)[1:end-1])
        plain = target isa Symbol || all(is_plain_index, target.args[2:end])
        plain || return Any[Expr(e.head, target, inside(value))]
        value = Expr(:call, operator, target, value)
    elseif e.head !== :(=)
        number = site("set", dotted(root(target)), Expr(:call, Symbol(string(e.head)[1:end-1]), target, value))
        AT.loops > 0 && target isa Expr && push!(AT.elements, root(target) => number)
        made = Any[Expr(e.head, target, inside(value))]
        target isa Expr && AT.loops > 0 || push!(made, call(:val, number, root(target)))
        return made
    end
    if target isa Expr && target.head === :(::) && target.args[1] isa Symbol
        return Any[Expr(:(=), target, recorded(:val, "set", string(target.args[1]), value, value))]
    end
    name = dotted(target)
    if !isempty(name)
        return Any[Expr(:(=), target, recorded(:val, "set", name, value, value))]
    end
    if target isa Expr && target.head === :ref && root(target) isa Symbol
        base = root(target)
        element = recorded(:val, "element", "$base[]", Expr(:tuple, value, target.args[2:end]...), value, named_element(target))
        container = site("container", string(base), Expr(:tuple, value, target.args[2:end]...))
        made = Any[Expr(:(=), target, element)]
        AT.loops > 0 ? push!(AT.elements, base => container) : last || push!(made, call(:val, container, base))
        return made
    end
    if target isa Expr && target.head === :tuple
        outer, AT.parts = AT.parts, Int[]
        made = Any[Expr(:(=), target, inside(value))]
        last || append!(made, vcat(Any[], map(one -> set_among(one, value), target.args)...))
        AT.parts = outer
        return made
    end
    return Any[Expr(e.head, target, inside(value))]
end

# One of several targets of a statement, recorded once it is set.
function set_among(target, value)
    if target isa Expr && target.head === :tuple
        return vcat(Any[], map(one -> set_among(one, value), target.args)...)
    end
    base = root(target)
    if target isa Expr && target.head === :ref && base isa Symbol && all(is_plain_index, target.args[2:end])
        number = site("element", "$base[]", Expr(:tuple, value, target.args[2:end]...), AT.parts, named_element(target))
        container = site("container", string(base), Expr(:tuple, value, target.args[2:end]...))
        # Of an array, setting an element again does nothing else.
        again = Expr(:(=), target, call(:val, number, target))
        made = Any[Expr(:if, Expr(:call, :isa, base, Array), again)]
        AT.loops > 0 ? push!(AT.elements, base => container) : push!(made, call(:val, container, base))
        return made
    end
    return Any[Expr(:(=), name, call(:val, site("set", string(name), value, AT.parts), name)) for name in names_of(target) if name !== :_]
end

# Whether an index is the same, and does nothing, when it is evaluated again.
is_plain_index(e) = !(e isa Expr) || (e.head === :call ? e.args[1] in (:+, :-, :*, :(:)) : e.head !== :macrocall) && all(is_plain_index, e.args)
