# Large arrays: the memory that is shared with the harness, and large pages.
# Part of HarnessWorker.jl; standard library only; Julia 1.5 and newer.

# The memory that `hello` names: its file, and its bytes as they lie there; nothing where it cannot be opened.
const SHARED = Ref{Any}(nothing)
const LEAST_SHARED, ALIGNED = 1 << 20, 64

function share!(path)
    try
        SHARED[] = path === nothing ? nothing : (open(path, "r+"), UInt8[])
    catch
        SHARED[] = nothing
    end
    return SHARED[] !== nothing
end

# Its bytes, at least as many as are wanted, or nothing: the file grows where they are fewer, if there is memory.
function shared_bytes(wanted = 0)
    file, bytes = SHARED[]
    size = filesize(file)
    if size < wanted
        ccall(:posix_fallocate, Cint, (Cint, Int64, Int64), fd(file), 0, wanted) == 0 || return nothing
        size = wanted
    end
    if length(bytes) < size
        bytes = Mmap.mmap(file, Vector{UInt8}, size)
        SHARED[] = (file, bytes)
    end
    return bytes
end

# Where an array of a request lies.
function place_of(descriptor)
    bytes = shared_bytes()
    0 <= descriptor["at"] <= length(bytes) - size_of(descriptor) || error("an array lies beyond the shared memory")
    return pointer_of(bytes) + descriptor["at"]
end

size_of(descriptor) = prod(Int[descriptor["shape"]...]) * sizeof(TYPES[descriptor["dtype"]])

# Large arrays go where the memory is shared; those that go through the pipe are returned.
function put_into_memory!(descriptors, given)
    piped = Any[]
    used = 0
    for (descriptor, array) in zip(descriptors, given)
        at = cld(used, ALIGNED) * ALIGNED
        shares = SHARED[] !== nothing && sizeof(array) >= LEAST_SHARED
        bytes = shares ? shared_bytes(at + sizeof(array)) : nothing
        if bytes === nothing
            push!(piped, array)
            continue
        end
        used = at + sizeof(array)
        copy_bytes(pointer_of(bytes) + at, pointer_of(array), sizeof(array))
        descriptor["at"] = at
    end
    return piped
end

copy_bytes(to, from, count) = ccall(:memcpy, Ptr{Cvoid}, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t), to, from, count)
pointer_of(@nospecialize(array)) = ccall(:jl_array_ptr, Ptr{Cvoid}, (Any,), array)
address_of(@nospecialize(array)) = UInt(pointer_of(array))

# An array whose elements are to be filled in. Most of what a large one costs is the first touch of its pages, which
# are larger where the kernel has such; the first and the last one may hold something else.
const LEAST_HUGE, PAGE, MADV_HUGEPAGE = 1 << 22, 1 << 12, 14

function fresh(type, shape)
    array = Array{type}(undef, shape...)
    if Sys.islinux() && sizeof(array) >= LEAST_HUGE
        first = cld(address_of(array), PAGE) * PAGE
        last = fld(address_of(array) + sizeof(array), PAGE) * PAGE
        ccall(:madvise, Cint, (Ptr{Cvoid}, Csize_t, Cint), Ptr{Cvoid}(first), last - first, MADV_HUGEPAGE)
    end
    return array
end
