# Loads HarnessWorker.jl in the way of this version of Julia, and serves where it is run as a program.

module HarnessWorkerLoaded
include("by_version.jl")
const WORKER = ByVersion.worker(@__MODULE__, @__DIR__)
end

const HarnessWorker = HarnessWorkerLoaded.WORKER

# What is not for an answer is compiled as it always is; a package has the mode that it was compiled in.
HarnessWorker.ByVersion.OF_FILES[] = HarnessWorkerLoaded.ByVersion.OF_FILES[]
HarnessWorker.ByVersion.as_files!()

abspath(PROGRAM_FILE) == @__FILE__() && HarnessWorker.interpreted(HarnessWorker.serve)
