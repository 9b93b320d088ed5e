# Downloads packages of R, and what they need and this R lacks, in source form; nothing of theirs is run here.
# Arguments: a folder, then names, perhaps with a version (name==1.0, name>=1.0). Prints "FILE: name" for each,
# in the order in which they are to be installed, or "ERROR: why".
local({
  given <- commandArgs(TRUE)
  folder <- given[1L]
  wanted <- given[-1L]
  fail <- function(...) {
    cat("ERROR: ", ..., "\n", sep = "")
    quit(status = 3L)
  }
  quietly <- function(code) suppressMessages(suppressWarnings(tryCatch(code, error = function(condition) NULL)))

  repos <- getOption("repos")
  repos <- repos[!repos %in% "@CRAN@"]
  if (!length(repos)) fail("this R names no repository")
  options(timeout = 120)
  offered <- quietly(utils::available.packages(repos = repos, type = "source"))
  if (is.null(offered) || !nrow(offered)) fail("no repository of this R answers (", toString(repos), ")")

  names <- sub("[=>]=.*", "", wanted)
  versions <- ifelse(names == wanted, "", substring(wanted, nchar(names) + 1L))
  names(versions) <- names
  here <- rownames(utils::installed.packages())
  kinds <- c("Depends", "Imports", "LinkingTo")
  order <- character()
  visit <- function(name) {
    if (name %in% order || (name %in% here && !name %in% names)) return()
    if (!name %in% rownames(offered)) fail("no repository of this R has ", name, " (", toString(repos), ")")
    for (other in tools::package_dependencies(name, offered, which = kinds)[[1L]]) visit(other)
    order <<- c(order, name)
  }
  for (name in names) visit(name)

  fetched <- function(url) {
    file <- file.path(folder, basename(url))
    done <- quietly(utils::download.file(url, file, quiet = TRUE, mode = "wb"))
    if (identical(as.integer(done), 0L) && file.exists(file)) basename(file) else ""
  }
  for (name in order) {
    has <- offered[name, "Version"]
    asked <- if (name %in% names) versions[[name]] else ""
    version <- substring(asked, 3L)
    older <- nzchar(version) && utils::compareVersion(has, version) < 0
    if (startsWith(asked, ">=") && older) fail(name, " ", version, " is asked for, and the repository has ", has)
    from <- offered[name, "Repository"]
    other <- startsWith(asked, "==") && utils::compareVersion(has, version) != 0
    url <- if (other) {
      file.path(from, "Archive", name, paste0(name, "_", version, ".tar.gz"))
    } else {
      file.path(from, paste0(name, "_", has, ".tar.gz"))
    }
    file <- fetched(url)
    if (!nzchar(file) && other) fail(name, " ", version, " is asked for, and the repository has ", has)
    if (!nzchar(file)) fail(name, " ", has, " could not be downloaded from ", from)
    cat("FILE: ", file, "\n", sep = "")
  }
})
