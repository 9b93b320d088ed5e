# Run versions of a Julia program, each in a process that starts from here: FOLDER SECONDS PROGRAM ARGUMENT...
# What each prints is behind a line with its number, and a line with how it ended is behind that.
# Standard library only; Julia 1.5 and newer.

module HarnessVersions

# How much longer than the first version, which is the program as it is, another may take.
const LONGER = 3

# Machine code is written through a descriptor of the memory of the process that opened it, where it is there.
function own_memory()
    isdir("/proc/self/fd") || return
    for name in readdir("/proc/self/fd")
        link = "/proc/self/fd/" * name
        islink(link) && endswith(readlink(link), "/mem") || continue
        opened = ccall(:open, Cint, (Cstring, Cint), "/proc/self/mem", 0x80002) # O_RDWR, O_CLOEXEC
        ccall(:dup2, Cint, (Cint, Cint), opened, parse(Cint, name))
        ccall(:close, Cint, (Cint,), opened)
    end
end

# What a program calls is compiled by a run of it as it is, in a module of its own, once for all versions.
function compiled_beforehand(path)
    scratch = Module(:Main)
    Core.eval(scratch, quote
        eval(expression) = Core.eval($scratch, expression)
        include(path) = Base.include($scratch, path)
        exit(code = 0) = throw(InterruptException())
    end)
    shown = ccall(:dup, Cint, (Cint,), 1)
    silence(1)
    try
        Base.include(scratch, path)
    catch
    end
    flush(stdout)
    ccall(:dup2, Cint, (Cint, Cint), shown, 1)
end

function silence(number)
    silent = ccall(:open, Cint, (Cstring, Cint), "/dev/null", 1) # O_WRONLY
    ccall(:dup2, Cint, (Cint, Cint), silent, number)
    ccall(:close, Cint, (Cint,), silent)
end

# In a process of its own, which ends with it.
function run_alone(text, path, seconds)
    code = Cint(1)
    try
        own_memory()
        ccall(:setrlimit, Cint, (Cint, Ptr{Culong}), 0, Culong[seconds, seconds]) # RLIMIT_CPU
        # One that waits uses no processor time.
        ccall(:alarm, Cuint, (Cuint,), seconds)
        Base.include_string(Main, text, path)
        code = Cint(0)
    catch
    end
    flush(stdout)
    ccall(:_exit, Cvoid, (Cint,), code)
end

function main(folder, seconds, program, arguments)
    path = abspath(program)
    empty!(ARGS)
    append!(ARGS, arguments)
    Core.eval(Base, :(PROGRAM_FILE = $path))
    task_local_storage(:SOURCE_PATH, path)
    silence(2)
    compiled_beforehand(path)
    for number in sort!([parse(Int, first(splitext(name))) for name in readdir(folder)])
        text = read(joinpath(folder, string(number, ".jl")), String)
        begun = time()
        println("\x1e", number)
        flush(stdout)
        child = ccall(:fork, Cint, ())
        child == 0 && run_alone(text, path, seconds)
        status = Ref{Cint}(1)
        ccall(:waitpid, Cint, (Cint, Ptr{Cint}, Cint), child, status, 0)
        println("\n\x1f", status[])
        flush(stdout)
        number == 0 && (seconds = min(seconds, ceil(Int, 1 + LONGER * (time() - begun))))
    end
end

end

HarnessVersions.main(ARGS[1], parse(Int, ARGS[2]), ARGS[3], ARGS[4:end])
