# Calls of functions of a file: of one stage, and of one stage for many inputs.
# Part of HarnessWorker.jl; standard library only; Julia 1.5 and newer.

# What a function returns, and its seconds, without those of the code around it, which may be interpreted.
function timed(@nospecialize(f), @nospecialize(arguments))
    start = time_ns()
    value = Base.invokelatest(f, arguments...)
    return value, (time_ns() - start) / 1e9
end

function call(handle, stage, outputs, arrays, due, absent)
    file = FILES[handle]
    how = get(file.signatures, stage, nothing)
    for place in absent
        insert!(arrays, place + 1, nothing)
    end
    if how === nothing
        f = Base.invokelatest(getfield, file.names, Symbol(stage))
        arguments = Any[array isa AbstractArray{<:Any,0} ? compiled(argument, array) : array for array in arrays]
    else
        f = Values.adapted
        arguments = (how, stage, file.names, arrays)
    end
    local value, seconds
    try
        # What a function includes, too, is found beside its file.
        value, seconds = with_project(file.path) do
            task_local_storage(() -> compiled(timed, f, arguments), :SOURCE_PATH, file.path)
        end
    catch error
        error isa Values.Refused && throw(Fault("call", error.message))
        throw(fault("call", error, catch_backtrace(), file.path))
    end
    if how !== nothing && haskey(how, "returns")
        value = coded(how["returns"], value)
        outputs == 1 && (value = only(value))
    elseif !any(isempty, due) && (fields = Base.invokelatest(Values.by_name, value)) !== nothing &&
           !(value isa Union{NamedTuple,AbstractDict}) && all(name -> haskey(fields, name), due)
        # An object has its fields by name.
        value = fields
    end
    values = any(isempty, due) ? nothing : named(value, due)
    values === nothing && (values = outputs == 1 ? Any[value] : items(value))
    values === nothing && throw(Fault("value", "returned $(described(value)), and a tuple of $outputs arrays is expected"))
    length(values) == outputs || throw(Fault("value", "returned $(length(values)) values, and $outputs are expected"))
    given = Any[item isa Array && haskey(NAMES, eltype(item)) ? item : compiled(give, item) for item in values]
    for (i, item) in enumerate(given)
        item isa Array || throw(Fault("value", (outputs > 1 ? "value $i of $outputs: " : "") * item))
    end
    return Dict("seconds" => seconds), given
end

# One stage for each of many inputs, which lie along the last dimension. The reply's arrays have the inputs along
# the first one; "others" are the places of those that have no result, or one that is not like most.
function call_many(handle, stage, stacks, due, count)
    file = FILES[handle]
    f = Base.invokelatest(getfield, file.names, Symbol(stage))
    results = Vector{Any}(nothing, count)
    start = time_ns()
    with_project(file.path) do
        task_local_storage(() -> compiled(fill_results, results, f, stacks, due), :SOURCE_PATH, file.path)
    end
    seconds = (time_ns() - start) / 1e9
    return compiled(batch, results, due, count, seconds)
end

function batch(results, due, count, seconds)
    forms = Any[result === nothing ? nothing : form_of(result) for result in results]
    counts = Dict{Any,Int}()
    for form in forms
        form === nothing || (counts[form] = get(counts, form, 0) + 1)
    end
    isempty(counts) &&
        return Dict("seconds" => seconds, "others" => collect(0:count-1)), Any[Float64[] for _ in due]
    usual = first(sort!(collect(counts), by = last, rev = true)).first
    given = Any[stacked(results, forms, usual, i, count) for i in 1:length(due)]
    return Dict("seconds" => seconds, "others" => [at - 1 for at in 1:count if forms[at] != usual]), given
end

function fill_results(results, @nospecialize(f), stacks, due)
    for at in 1:length(results)
        try
            results[at] = values_given(f(Any[input_of(stack, at) for stack in stacks]...), due)
        catch error
            error isa InterruptException && rethrow()
        end
    end
end

input_of(stack::Vector, at) = stack[at]
input_of(stack::Matrix, at) = stack[:, at]
input_of(stack::Array{T,3}, at) where {T} = stack[:, :, at]
input_of(stack::Array, at) = copy(selectdim(stack, ndims(stack), at))

# The arrays in a value; nothing where there are none.
function values_given(value, due)
    if !any(isempty, due) && !(value isa Union{NamedTuple,AbstractDict,AbstractArray,Number})
        fields = Values.by_name(value)
        fields !== nothing && all(name -> haskey(fields, name), due) && (value = fields)
    end
    values = any(isempty, due) ? nothing : named(value, due)
    values === nothing && (values = length(due) == 1 ? Any[value] : items(value))
    (values === nothing || length(values) != length(due)) && return nothing
    given = Any[give(item) for item in values]
    return all(item -> item isa Array, given) ? given : nothing
end

form_of(result) = Any[(eltype(array), size(array)) for array in result]

function stacked(results, forms, usual, i, count)
    type, shape = usual[i]
    stack = zeros(type, shape..., count)
    each = prod(shape)
    for at in 1:count
        forms[at] == usual && copyto!(stack, (at - 1) * each + 1, results[at][i], 1, each)
    end
    return permutedims(stack, (ndims(stack), 1:ndims(stack)-1...))
end

function coded(forms, value)
    try
        return compiled(Values.give_all, forms, value)
    catch error
        error isa Values.Refused || rethrow()
        throw(Fault("value", error.message))
    end
end
