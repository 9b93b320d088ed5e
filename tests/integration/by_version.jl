# Each branch of harness/workers/by_version.jl, whatever Julia runs it: julia by_version.jl PATH
using Test

include(ARGS[1])

module Old
softscope!(e) = (push!(e.args, :old); e)
vendor() = :openblas64
end

module New
softscope(e) = Expr(e.head, e.args..., :new)
get_config() = (loaded_libs = [(libname = "/usr/lib/libopenblas64_.so",), (libname = "/opt/libmkl_rt.so",)],)
end

@testset "loops at top level see globals" begin
    @test ByVersion.softscope(Old, Expr(:toplevel)).args == [:old]
    given = Expr(:toplevel)
    @test ByVersion.softscope(New, given).args == [:new]
    @test isempty(given.args)
end

@testset "BLAS" begin
    @test ByVersion.blas_name(Old) == "openblas64"
    @test ByVersion.blas_name(New) == "libopenblas64_.so libmkl_rt.so"
end

@testset "range without a step" begin
    @test !ByVersion.range_needs_no_step(v"1.6.7")
    @test ByVersion.range_needs_no_step(v"1.7.0")
    @test ByVersion.range_needs_no_step() == try
        range(1, 3) == 1:3
    catch
        false
    end
end

@testset "errors in the syntax" begin
    @test ByVersion.syntax_error("syntax: incomplete: premature end of input") === nothing
    newer = "ParseError:\n# Error @ /x/a.jl:12:7\nf(x = \n#     └ ── Expected `)`"
    @test ByVersion.syntax_error(newer) == (12, "syntax: Expected `)`")
    @test ByVersion.syntax_error("ParseError:\n# Error @ none:3:1\nend") == (3, "")
end

@testset "how the worker is compiled" begin
    before = ByVersion.option()
    @test ByVersion.compiled(ByVersion.option) == (ByVersion.KEEPS_MACHINE_CODE ? before : ByVersion.OF_FILES[])
    @test ByVersion.interpreted(ByVersion.option) == (ByVersion.KEEPS_MACHINE_CODE ? before : ByVersion.INTERPRETED)
    @test ByVersion.option() == before
    @test ByVersion.as_package() == ByVersion.KEEPS_MACHINE_CODE
    withenv("HARNESS_JULIA_PACKAGE" => "always") do
        @test ByVersion.as_package()
    end
    @test ByVersion.rehearsed(() -> error("only while a package is compiled")) === nothing
end
