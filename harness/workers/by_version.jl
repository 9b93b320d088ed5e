# What differs by Julia's version: whether the worker's own code is compiled. Julia 1.5 and newer.
#
# Before 1.9 Julia keeps no machine code from process to process, and would compile the worker's own code for seconds
# at each start. It is interpreted there: what is said of requests and replies is short. Files and the functions in
# them are compiled as ever, and so is all that touches the elements of arrays: what is interpreted once stays so in
# that process, and its type is not inferred.
module ByVersion

const KEEPS_MACHINE_CODE = VERSION >= v"1.9"
const COMPILED, INTERPRETED = Int8(1), Int8(3)

# The option --compile of this process, which holds for what is called for the first time.
const PLACE = Ptr{Int8}(cglobal(:jl_options)) +
    fieldoffset(Base.JLOptions, findfirst(isequal(:compile_enabled), collect(fieldnames(Base.JLOptions))))

option() = unsafe_load(PLACE)
option!(mode::Int8) = KEEPS_MACHINE_CODE ? nothing : unsafe_store!(PLACE, mode)

# How files are compiled: as the process was started, where nothing else is said.
const OF_FILES = Ref(option())

interpret!() = option!(INTERPRETED)
as_files!() = option!(OF_FILES[])
function compile_files!()
    OF_FILES[] = COMPILED
    as_files!()
end

# A call of something that is compiled as files are, and of something that is not.
compiled(@nospecialize(f), @nospecialize(arguments...)) = in_mode(as_files!, f, arguments)
interpreted(@nospecialize(f), @nospecialize(arguments...)) = in_mode(interpret!, f, arguments)

function in_mode(@nospecialize(choose!), @nospecialize(f), @nospecialize(arguments))
    before = option()
    choose!()
    try
        return Base.invokelatest(f, arguments...)
    finally
        option!(before)
    end
end

end
