# Arrays as the protocol has them, and what is returned as arrays.
# Part of HarnessWorker.jl; standard library only; Julia 1.5 and newer.

const TYPES = Dict{String,DataType}(
    "bool" => Bool, "int8" => Int8, "int16" => Int16, "int32" => Int32, "int64" => Int64,
    "uint8" => UInt8, "uint16" => UInt16, "uint32" => UInt32, "uint64" => UInt64,
    "float16" => Float16, "float32" => Float32, "float64" => Float64,
    "complex64" => ComplexF32, "complex128" => ComplexF64,
)
const NAMES = Dict{Any,String}(type => name for (name, type) in TYPES)

function read_array(io::IO, descriptor)
    haskey(TYPES, descriptor["dtype"]) || error("Julia has no $(descriptor["dtype"])")
    type, shape = TYPES[descriptor["dtype"]], Tuple{Vararg{Int}}(descriptor["shape"])
    # Sent with the last index fastest; Julia's first index runs fastest.
    moved = length(shape) > 1 && descriptor["order"] != "F"
    if moved && haskey(descriptor, "at")
        return compiled(transposed, unsafe_wrap(Array, Ptr{type}(place_of(descriptor)), reverse(shape)))
    end
    array = fresh(type, moved ? reverse(shape) : shape)
    if haskey(descriptor, "at")
        copy_bytes(pointer_of(array), place_of(descriptor), sizeof(array))
    else
        compiled(read!, io, array)
    end
    return moved ? compiled(transposed, array) : array
end

transposed(array) = permutedims!(fresh(eltype(array), reverse(size(array))), array, ndims(array):-1:1)

descriptor_of(@nospecialize(array)) =
    Dict{String,Any}("dtype" => NAMES[eltype(array)], "shape" => collect(Int, size(array)), "order" => "F")

argument(array::AbstractArray{T,0}) where {T} = array[]
argument(array::AbstractArray) = array

# An array as the protocol has it, or the text that says why not.
give(value::Number) = haskey(NAMES, typeof(value)) ? fill(value) : "returned a number of type $(typeof(value)), which cannot be kept"
function give(value::AbstractArray{T}) where {T}
    haskey(NAMES, T) && return value isa Array ? value : Array(value)
    # Any[] that is filled with push! holds numbers all the same.
    if !isconcretetype(T) && all(item -> item isa Number, value)
        found = mapreduce(typeof, promote_type, value; init = Union{})
        found === Union{} && return zeros(Float64, size(value))
        haskey(NAMES, found) && return convert(Array{found}, value)
    end
    return "returned an array of $T, which cannot be kept"
end
give(value) = "returned $(described(value)), and an array is expected"

described(value::AbstractString) = "the text $(repr(first(value, 40)))"
described(::Nothing) = "nothing"
described(value::Tuple) = "a tuple of $(length(value))"
described(value) = "a $(typeof(value))"

# The values that have the names that are expected; nothing where the value names none.
function named(value::Union{NamedTuple,AbstractDict}, due)
    has = Dict(string(key) => value[key] for key in keys(value))
    all(name -> haskey(has, name), due) && return Any[has[name] for name in due]
    missing_ = filter(name -> !haskey(has, name), due)
    verb = length(missing_) == 1 ? "is" : "are"
    kind = value isa NamedTuple ? "NamedTuple" : "Dict"
    there = join(sort!(collect(keys(has))), ", ")
    throw(Fault("value", "returned a $kind with $there: $(join(missing_, ", ")) $verb missing"))
end
named(value, due) = nothing

items(value::Union{Tuple,NamedTuple}) = Any[value...]
items(value::AbstractVector{<:Union{AbstractArray,Number}}) = eltype(value) <: Number ? nothing : Any[value...]
items(value::AbstractVector{Any}) = copy(value)
items(value) = nothing
