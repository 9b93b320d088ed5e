# The program's expressions, with the calls of julia_hooks.jl around them.

# Functions inside of an expression, and what it is made of.
function inside(e)
    e isa Expr || return e
    e.head in (:quote, :inert, :macrocall) && return e
    e.head === :typed_comprehension && return Expr(e.head, e.args[1], comprehension(e.args[2]))
    e.head === :comprehension && return Expr(e.head, comprehension(e.args[1]))
    e.head in (:generator, :flatten) && return comprehension(e)
    if e.head === :(=) && length(e.args) == 2 && e.args[1] isa Symbol
        # a = b = value
        return Expr(:(=), e.args[1], recorded(:val, "set", string(e.args[1]), e.args[2], e.args[2]))
    end
    is_function(e) && return a_function(e, "function")
    e.head in (:if, :for, :while, :let, :try) && return as_value(() -> Expr(:block, statements(e, false)...))
    if e.head === :do
        return Expr(:do, Expr(e.args[1].head, map(inside, e.args[1].args)...), a_function(e.args[2], "do"))
    end
    e.head === :block && return as_value(() -> body(e, false))
    e.head === :call && return Expr(:call, e.args[1] isa Symbol ? e.args[1] : inside(e.args[1]), map(piece, e.args[2:end])...)
    if e.head === :. && length(e.args) == 2 && e.args[2] isa Expr && e.args[2].head === :tuple
        return Expr(:., inside(e.args[1]), Expr(:tuple, map(piece, e.args[2].args)...))
    end
    # Where an index says end, it is the end of what it is of.
    e.head === :ref && return Expr(:ref, piece(e.args[1]), e.args[2:end]...)
    e.head === :comparison && return Expr(:comparison, (isodd(k) ? piece(item) : item for (k, item) in enumerate(e.args))...)
    if e.head === :tuple
        return Expr(:tuple, (item isa Expr && item.head === :(=) ? Expr(:(=), item.args[1], piece(item.args[2])) : piece(item) for item in e.args)...)
    end
    e.head in (:&&, :||, :vect, :hcat, :vcat, :row, Symbol("'")) && return Expr(e.head, map(piece, e.args)...)
    return Expr(e.head, map(inside, e.args)...)
end

# Statements that have a value: what is made in them is what it is made of.
function as_value(make)
    first_site, line = SITES[], AT.line
    done = make()
    AT.line = line
    append!(AT.parts, first_site+1:SITES[])
    return done
end

# The elements of a comprehension, and what it goes over.
function comprehension(e)
    e isa Expr && e.head === :flatten && return Expr(:flatten, comprehension(e.args[1]))
    e isa Expr && e.head === :generator || return inside(e)
    specs = map(e.args[2:end]) do spec
        spec isa Expr && spec.head === :filter ? Expr(:filter, spec.args[1], map(goes_over, spec.args[2:end])...) : goes_over(spec)
    end
    known = length(AT.over)
    for spec in e.args[2:end]
        append!(AT.over, spec isa Expr && spec.head === :filter ? spec.args : Any[spec])
    end
    element = e.args[1]
    done = element isa Expr && element.head in (:generator, :flatten) ? comprehension(element) : piece(element)
    resize!(AT.over, known)
    return Expr(:generator, done, specs...)
end
goes_over(spec) = spec isa Expr && spec.head in (:(=), :in) ? Expr(spec.head, spec.args[1], piece(spec.args[2])) : spec

# Which element is set, where it has a name.
named_element(target) = length(target.args) == 2 && target.args[2] isa Union{String,QuoteNode} ? "[$(repr(target.args[2] isa QuoteNode ? target.args[2].value : target.args[2]))]" : ""

# A hook with an expression, whose parts are recorded too.
function recorded(hook, kind, name, reads, value, element = "")
    outer = AT.parts
    AT.parts = Int[]
    done = inside(value)
    number = site(kind, name, reads, AT.parts, element)
    AT.parts = outer
    return call(hook, number, done)
end

names_of(e) = e isa Symbol ? [e] : e isa Expr && e.head in (:(::), :kw, :...) && !isempty(e.args) ? names_of(e.args[1]) :
    e isa Expr && e.head in (:tuple, :parameters, :block) ? vcat(Symbol[], map(names_of, filter(item -> !(item isa LineNumberNode), e.args))...) : Symbol[]
signature(e) = e isa Expr && e.head in (:where, :(::)) ? signature(e.args[1]) : e

# What a function is made of, without the functions in it.
function own_parts(e, found = Expr[])
    e isa Expr || return found
    push!(found, e)
    foreach(item -> is_function(item) || item isa Expr && item.head === :(=) && is_signature(item.args[1]) || own_parts(item, found), e.args)
    return found
end
function set_in(e)
    found = Set{Symbol}()
    for item in own_parts(e)
        is_assignment(item) && union!(found, names_of(item.args[1]))
    end
    return found
end
is_assignment(e) = e isa Expr && length(e.args) == 2 && endswith(string(e.head), "=") && !(string(e.head) in ("==", "!=", "<=", ">=", ".==", "==="))

function a_function(e, name)
    e.head === :function && length(e.args) < 2 && return e
    outer = (AT.fn, AT.control, AT.loops, AT.elements, AT.line, AT.parts, AT.around, AT.own, AT.outer)
    head = signature(e.args[1])
    arguments = e.head === :-> || (head isa Expr && head.head === :tuple) ? names_of(head) :
        head isa Expr && head.head === :call ? vcat(Symbol[], map(names_of, head.args[2:end])...) : Symbol[]
    head isa Expr && head.head === :call && (name = dotted(head.args[1]) == "" ? name : dotted(head.args[1]))
    AT.around = isempty(AT.fn) ? String[] : [AT.fn; AT.around]
    declared(how) = reduce(union!, (names_of(Expr(:tuple, item.args...)) for item in own_parts(e.args[2]) if item.head === how); init = Set{Symbol}())
    AT.outer = union(setdiff(union(AT.outer, AT.own), arguments, declared(:local)), declared(:global))
    AT.own = setdiff(union(set_in(e.args[2]), arguments), AT.outer)
    AT.fn, AT.control, AT.loops, AT.elements, AT.parts = name, Int[], 0, Pair{Symbol,Int}[], Int[]
    first_lines = Any[]
    otherwise = Dict{Symbol,Int}()
    written = head isa Expr && head.head === :call ? with_defaults(e.args[1], otherwise) : e.args[1]
    for argument in arguments
        string(argument) == "_" && continue
        parts = haskey(otherwise, argument) ? [otherwise[argument]] : Int[]
        push!(first_lines, Expr(:(=), argument, call(:val, site("param", string(argument), nothing, parts), argument)))
    end
    # An argument is recorded, not set anew: it would become a box in closures.
    first_lines = map(item -> item.args[2], first_lines)
    # Of a function in a function the frame is another one than that around it.
    pushfirst!(first_lines, Expr(:local, :($FRAME = $(GlobalRef(HarnessRecorder, :enter))())))
    inner = e.args[2]
    inner = inner isa Expr && inner.head === :block ? inner : Expr(:block, inner)
    done = body(inner, true)
    AT.fn, AT.control, AT.loops, AT.elements, AT.line, AT.parts, AT.around, AT.own, AT.outer = outer
    return Expr(e.head, written, Expr(:block, first_lines..., done.args...))
end

function body(e, last)
    made = Any[]
    items = e.args
    final = findlast(item -> !(item isa LineNumberNode), items)
    for (number, item) in enumerate(items)
        if item isa LineNumberNode
            AT.line = item.line
            push!(made, item)
        else
            append!(made, statements(item, last && number == final))
        end
    end
    return Expr(:block, made...)
end
block(e) = e isa Expr && e.head === :block ? e : Expr(:block, e)

function loop(e)
    outermost = AT.loops == 0
    outermost && (AT.elements = Pair{Symbol,Int}[])
    outer = copy(AT.control)
    head = Any[]
    first_part = e.args[1]
    if e.head === :while
        first_part = recorded(:val, "test", "while", e.args[1], e.args[1])
        push!(AT.control, first_part.args[3])
    else
        specs = e.args[1] isa Expr && e.args[1].head === :block ? e.args[1].args : Any[e.args[1]]
        made = Any[]
        for spec in specs
            if spec isa Expr && spec.head in (:(=), :in)
                over = recorded(:val, "iterates", "for", spec.args[2], spec.args[2])
                for name in names_of(spec.args[1])
                    string(name) == "_" && continue
                    number = site("loop", string(name), spec.args[2])
                    push!(AT.control, number)
                    push!(head, call(:val, number, name))
                end
                push!(made, Expr(spec.head, spec.args[1], over))
            else
                push!(made, spec)
            end
        end
        first_part = length(made) == 1 ? made[1] : Expr(:block, made...)
    end
    AT.loops += 1
    done = body(block(e.args[2]), false)
    AT.loops -= 1
    AT.control = outer
    after = Any[]
    if outermost
        for base in unique(first.(AT.elements))
            number = AT.elements[findlast(pair -> pair.first === base, AT.elements)].second
            # What only the loop knows is gone when it ends.
            push!(after, Expr(:if, Expr(:isdefined, base), call(:val, number, base)))
        end
        AT.elements = Pair{Symbol,Int}[]
    end
    return Any[Expr(e.head, first_part, Expr(:block, head..., done.args...)), after...]
end

function shown(e)
    if e isa Expr && e.head === :call && e.args[1] in PRINTING
        rest = e.args[1] in (:round, :rpad, :lpad) ? e.args[3:end] : Any[]
        until = isempty(rest) ? length(e.args) : 2
        return Expr(:call, e.args[1], map(shown, e.args[2:until])..., rest...)
    end
    if e isa Expr && e.head === :. && e.args[1] === :round && e.args[2] isa Expr
        rest = e.args[2].args
        return Expr(:., :round, Expr(:tuple, rest[1] isa Expr && rest[1].head === :parameters ? rest[1] : shown(rest[1]), (rest[1] isa Expr && rest[1].head === :parameters ? map(shown, rest[2:end]) : rest[2:end])...))
    end
    e isa Expr && e.head === :string && return Expr(:string, map(shown, e.args)...)
    e isa Expr && e.head in (:parameters, :kw, :macrocall, :quote, :...) && return e
    e isa Union{Symbol,Expr} || return e
    e in (:stdout, :stderr) && return e
    return recorded(:val, "shown", isempty(dotted(e)) ? "shown" : dotted(e), e, e)
end

let_bindings(e) = !(e isa Expr) ? e : e.head === :block ? Expr(:block, map(let_bindings, e.args)...) :
    e.head === :(=) && e.args[1] isa Symbol ? Expr(:(=), e.args[1], recorded(:val, "set", string(e.args[1]), e.args[2], e.args[2])) : e

# What the fields of a struct are if nothing else is given.
function field_defaults(e)
    name = e.args[2] isa Expr ? first(names_of(Expr(:tuple, e.args[2].args[1]))) : e.args[2]
    fields = map(e.args[3].args) do item
        item isa LineNumberNode && (AT.line = item.line)
        item isa Expr && item.head === :(=) && length(names_of(item.args[1])) == 1 || return item
        Expr(:(=), item.args[1], recorded(:val, "set", string(name, '.', names_of(item.args[1])[1]), item.args[2], item.args[2]))
    end
    return Expr(:struct, e.args[1], e.args[2], Expr(:block, fields...))
end

function statements(e, last)
    finish(value) = last && !isempty(AT.fn) ? Any[recorded(:ret, "return", AT.fn, value, value)] :
        value isa Expr && value.head === :call ? Any[recorded(:called, "call", "call", value, value)] : Any[inside(value)]
    e isa Expr || return e isa Union{Symbol,Number} && last ? finish(e) : Any[e]
    if e.head === :(=) || is_assignment(e)
        return assignment(e, last)
    elseif e.head in (:for, :while)
        done = loop(e)
        return last ? push!(done, nothing) : done
    elseif e.head in (:if, :elseif)
        test = recorded(:val, "test", "if", e.args[1], e.args[1])
        number = test.args[3]
        outer = copy(AT.control)
        push!(AT.control, number)
        branches = map(e.args[2:end]) do branch
            branch isa Expr && branch.head === :elseif ? statements(branch, last)[1] : body(block(branch), last)
        end
        AT.control = outer
        return Any[Expr(e.head, test, branches...)]
    elseif e.head === :function
        return Any[a_function(e, "function")]
    elseif e.head === :block
        return Any[body(e, last)]
    elseif e.head === :return
        value = isempty(e.args) ? nothing : e.args[1]
        value === nothing && return Any[e]
        return Any[Expr(:return, recorded(:ret, "return", AT.fn, value, value))]
    elseif e.head === :let
        return Any[Expr(:let, let_bindings(e.args[1]), body(block(e.args[2]), last))]
    elseif e.head === :try
        return Any[Expr(:try, (item isa Expr && item.head === :block ? body(item, last && k < 4) : item for (k, item) in enumerate(e.args))...)]
    elseif e.head in (:&&, :||) && (!last || e.args[2] isa Expr && e.args[2].head === :return) && e.args[2] isa Expr
        test = recorded(:val, "test", "if", e.args[1], e.args[1])
        outer = copy(AT.control)
        push!(AT.control, test.args[3])
        done = statements(e.args[2], false)
        AT.control = outer
        return Any[Expr(e.head, test, length(done) == 1 ? done[1] : Expr(:block, done...))]
    elseif e.head in (:const, :global, :local) && e.args[1] isa Expr && e.args[1].head === :(=)
        done = assignment(e.args[1], false)
        return Any[Expr(e.head, done[1]), done[2:end]...]
    elseif e.head === :macrocall
        name = string(e.args[1])
        if name in ("@inbounds", "@simd", "@time", "@views") && e.args[end] isa Expr && (e.args[end].head in (:for, :while, :block) || is_assignment(e.args[end]))
            return Any[Expr(:macrocall, e.args[1:end-1]..., Expr(:block, statements(e.args[end], false)...))]
        elseif occursin("@printf", name)
            given = [item isa String || item isa LineNumberNode ? item : shown(item) for item in e.args[2:end]]
            return Any[Expr(:macrocall, e.args[1], given...)]
        elseif name in ("@.", "@__dot__") && is_assignment(e.args[end]) && root(e.args[end].args[1]) isa Symbol
            target = e.args[end].args[1]
            base = root(target)
            number = site(target isa Symbol ? "set" : "container", string(base), e.args[end].head === :(=) ? e.args[end].args[2] : Expr(:tuple, e.args[end].args...))
            target isa Expr && AT.loops > 0 || return Any[e, call(:val, number, base)]
            push!(AT.elements, base => number)
            return Any[e]
        elseif occursin("@kwdef", name) || occursin("with_kw", name)
            made = e.args[end]
            made isa Expr && made.head === :struct && (made.args[2] isa Symbol || made.args[2] isa Expr) || return Any[e]
            return Any[Expr(:macrocall, e.args[1:end-1]..., field_defaults(made))]
        elseif occursin("doc", name) && e.args[end] isa Expr && e.args[end].head in (:function, :(=))
            return Any[Expr(:macrocall, e.args[1:end-1]..., statements(e.args[end], false)...)]
        end
        return Any[e]
    elseif e.head in (:using, :import, :module, :struct, :abstract, :export, :break, :continue, :toplevel)
        return Any[e]
    elseif e.head === :call && e.args[1] === :include && length(e.args) == 2
        return Any[:($(GlobalRef(HarnessRecorder, :run_included))($(e.args[2])))]
    elseif e.head === :call && e.args[1] in (:println, :print, :show, :display)
        return Any[shown(e)]
    elseif e.head === :call && endswith(string(e.args[1]), "!")
        changed = filter(item -> item isa Symbol, e.args[2:min(end, 3)])
        if e.args[1] === :push! && length(e.args) == 3 && e.args[2] isa Symbol
            element = recorded(:val, "element", "$(e.args[2])[]", e.args[3], e.args[3])
            container = site("container", string(e.args[2]), e.args[3])
            made = Any[Expr(:call, :push!, e.args[2], element)]
            AT.loops > 0 ? push!(AT.elements, e.args[2] => container) : last || push!(made, call(:val, container, e.args[2]))
            return made
        end
        last && return finish(e)
        return Any[inside(e), (call(:again, site("mutated", string(name), e), name) for name in changed)...]
    end
    return finish(e)
end
