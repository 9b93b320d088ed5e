# How requests come: through the pipes of a program, or to julia_host.py, by addresses in its memory.
# Part of HarnessWorker.jl; standard library only; Julia 1.5 and newer.

# For julia_host.py: a request at an address, with the addresses of its arrays; the address of the reply, which ends
# with a zero byte, with those of the arrays that it has. They stay until the next one.
exchange(address::Ptr{UInt8}) = interpreted(answered, unsafe_string(address))::Ptr{UInt8}

function answered(text::String)
    request = compiled(read_json, text)
    descriptors = get(request, "arrays", Any[])
    rooms = any(descriptor -> haskey(descriptor, "room"), descriptors) ? KEPT[][2] : Any[]
    # Arrays that are in no variable are collected when Julia makes room for those of this request.
    KEPT[] = ("", Any[])
    if request["method"] == "room"
        # Python writes into these arrays, and calls with them.
        object, given = Dict{String,Any}("result" => Dict()), Any[fresh_of(descriptor) for descriptor in descriptors]
    else
        object, given = reply(request, Any[array_at(descriptor, rooms) for descriptor in descriptors])
    end
    object["arrays"] = [merge(descriptor_of(array), Dict("address" => address_of(array))) for array in given]
    text = json(object)
    KEPT[] = (text, given)
    return pointer(text)
end

const KEPT = Ref{Any}(("", Any[]))

fresh_of(descriptor) = fresh(TYPES[descriptor["dtype"]], descriptor["shape"])

function array_at(descriptor, rooms)
    haskey(TYPES, descriptor["dtype"]) || error("Julia has no $(descriptor["dtype"])")
    haskey(descriptor, "room") && return rooms[descriptor["room"]+1]
    array = fresh_of(descriptor)
    copy_bytes(pointer_of(array), Ptr{Cvoid}(descriptor["address"]), sizeof(array))
    return array
end

# Tell Python where it finds `exchange`.
entry_at(place) = unsafe_store!(Ptr{Ptr{Cvoid}}(place), @cfunction(exchange, Ptr{UInt8}, (Ptr{UInt8},)))

# Keep the pipes for the protocol; descriptor 0 reads nothing and 1 writes to 2 afterwards.
function take_pipes()
    requests, replies = ccall(:dup, Cint, (Cint,), 0), ccall(:dup, Cint, (Cint,), 1)
    for descriptor in (requests, replies)
        # Julia has made them non-blocking for itself, and F_SETFD: programs started from here get none of them.
        flags = ccall(:fcntl, Cint, (Cint, Cint, Cint...), descriptor, 3, 0)
        ccall(:fcntl, Cint, (Cint, Cint, Cint...), descriptor, 4, flags & ~Cint(Sys.isapple() ? 4 : 0x800))
        ccall(:fcntl, Cint, (Cint, Cint, Cint...), descriptor, 2, 1)
    end
    redirect_stdin(open("/dev/null"))
    redirect_stdout(stderr)
    # What `display` shows would go to the pipe that was standard output.
    pushdisplay(TextDisplay(stdout))
    # PR_SET_PDEATHSIG: die with the parent.
    Sys.islinux() && ccall(:prctl, Cint, (Cint, Culong, Culong, Culong, Culong), 1, 9, 0, 0, 0)
    return Base.fdio(requests, true), Base.fdio(replies, true)
end

# A worker of many calls has its requests read by compiled code, which takes longer to be ready than few take to be read.
function serve(reads = text -> compiled(read_json, text))
    ByVersion.interpret!()
    requests, replies = take_pipes()
    while (line = readline(requests)) != ""
        request = reads(line)
        exchanged(request, requests, replies)
        request["method"] == "bye" && break
    end
end

# One request and its reply. Its arrays are in no variable afterwards: Julia collects them when it makes room for the
# next ones.
function exchanged(request, requests, replies)
    arrays = Any[read_array(requests, descriptor) for descriptor in get(request, "arrays", Any[])]
    object, given = reply(request, arrays)
    isempty(given) || (object["arrays"] = map(descriptor_of, given))
    piped = put_into_memory!(get(object, "arrays", Any[]), given)
    write(replies, json(object), '\n')
    foreach(array -> compiled(write, replies, array), piped)
    flush(replies)
end
