# JSON: what requests are read from, and replies written in.
# Part of HarnessWorker.jl; standard library only; Julia 1.5 and newer.

mutable struct Reader
    bytes::Vector{UInt8}
    at::Int
end

peek(r::Reader) = r.at <= length(r.bytes) ? r.bytes[r.at] : error("JSON ends too early")
isspace_json(b) = b in (0x20, 0x09, 0x0a, 0x0d)

function skip!(r::Reader)
    while r.at <= length(r.bytes) && isspace_json(r.bytes[r.at])
        r.at += 1
    end
end

function expect!(r::Reader, text)
    for b in codeunits(text)
        peek(r) == b || error("JSON: $text is expected at byte $(r.at)")
        r.at += 1
    end
end

function read_json(text::AbstractString)
    r = Reader(Vector{UInt8}(codeunits(text)), 1)
    value = read_value(r)
    skip!(r)
    r.at > length(r.bytes) || error("JSON: something follows at byte $(r.at)")
    return value
end

function read_value(r::Reader)
    skip!(r)
    b = peek(r)
    b == UInt8('{') && return read_object(r)
    b == UInt8('[') && return read_list(r)
    b == UInt8('"') && return read_text(r)
    b == UInt8('t') && (expect!(r, "true"); return true)
    b == UInt8('f') && (expect!(r, "false"); return false)
    b == UInt8('n') && (expect!(r, "null"); return nothing)
    return read_number(r)
end

# Whether another item follows, after the opening bracket or an item.
function another!(r::Reader, close::Char, first::Bool)
    skip!(r)
    if peek(r) == UInt8(close)
        r.at += 1
        return false
    end
    first || expect!(r, ",")
    return true
end

function read_object(r::Reader)
    expect!(r, "{")
    object = Dict{String,Any}()
    while another!(r, '}', isempty(object))
        skip!(r)
        key = read_text(r)
        skip!(r)
        expect!(r, ":")
        object[key] = read_value(r)
    end
    return object
end

function read_list(r::Reader)
    expect!(r, "[")
    list = Any[]
    while another!(r, ']', isempty(list))
        push!(list, read_value(r))
    end
    return list
end

function read_number(r::Reader)
    first = r.at
    while r.at <= length(r.bytes) && Char(r.bytes[r.at]) in "+-0123456789.eE"
        r.at += 1
    end
    text = String(r.bytes[first:r.at-1])
    whole = tryparse(Int, text)
    whole === nothing || return whole
    number = tryparse(Float64, text)
    return number === nothing ? error("JSON: not a value at byte $first") : number
end

const ESCAPES = Dict('n' => '\n', 't' => '\t', 'r' => '\r', 'b' => '\b', 'f' => '\f', '"' => '"', '\\' => '\\', '/' => '/')

function read_hex(r::Reader)
    peek(r)
    code = parse(UInt32, String(r.bytes[r.at:r.at+3]), base = 16)
    r.at += 4
    return code
end

function read_text(r::Reader)
    expect!(r, "\"")
    close = findnext(isequal(UInt8('"')), r.bytes, r.at)
    close === nothing && error("JSON: a text has no end")
    text = r.bytes[r.at:close-1]
    if findfirst(isequal(UInt8('\\')), text) === nothing
        r.at = close + 1
        return String(text)
    end
    return read_escaped(r, close)
end

# From one escape to the next, for a session interprets this: its code is long, and has few of them.
function read_escaped(r::Reader, close)
    out = IOBuffer()
    while true
        escaped = findnext(isequal(UInt8('\\')), r.bytes, r.at)
        while close !== nothing && close < r.at
            close = findnext(isequal(UInt8('"')), r.bytes, r.at)
        end
        close === nothing && error("JSON: a text has no end")
        if escaped === nothing || escaped > close
            write(out, r.bytes[r.at:close-1])
            r.at = close
            break
        end
        write(out, r.bytes[r.at:escaped-1])
        r.at = escaped + 1
        escape = Char(peek(r))
        r.at += 1
        if escape != 'u'
            print(out, ESCAPES[escape])
            continue
        end
        code = read_hex(r)
        if 0xd800 <= code <= 0xdbff
            expect!(r, "\\u")
            code = 0x10000 + ((code - 0xd800) << 10) + (read_hex(r) - 0xdc00)
        end
        print(out, Char(code))
    end
    r.at += 1
    return String(take!(out))
end

write_json(io::IO, ::Nothing) = print(io, "null")
write_json(io::IO, x::Union{Bool,Integer}) = print(io, x)
write_json(io::IO, x::AbstractFloat) = isfinite(x) ? print(io, x) : print(io, "null")

const ESCAPED = r"[\"\\\\\x00-\x1f]"

function write_json(io::IO, text::AbstractString)
    print(io, '"')
    if text isa String && isvalid(text) && !occursin(ESCAPED, text)
        print(io, text, '"')
        return
    end
    for c in text
        if !isvalid(c)
            print(io, '\ufffd')
        elseif c == '"' || c == '\\'
            print(io, '\\', c)
        elseif c < ' '
            print(io, "\\u", string(UInt32(c), base = 16, pad = 4))
        else
            print(io, c)
        end
    end
    print(io, '"')
end

function write_json(io::IO, list::Union{AbstractVector,Tuple})
    print(io, '[')
    for (i, item) in enumerate(list)
        i > 1 && print(io, ',')
        write_json(io, item)
    end
    print(io, ']')
end

function write_json(io::IO, object::AbstractDict)
    print(io, '{')
    for (i, (key, value)) in enumerate(object)
        i > 1 && print(io, ',')
        write_json(io, String(key))
        print(io, ':')
        write_json(io, value)
    end
    print(io, '}')
end

function json(value)
    io = IOBuffer()
    write_json(io, value)
    return String(take!(io))
end
