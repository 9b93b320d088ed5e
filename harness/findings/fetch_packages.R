# Downloads packages of R, and what they need and this R lacks, in source form; nothing of theirs is run here.
# Arguments: a folder, then names, perhaps with a version (name==1.0, name>=1.0). Prints "FILE: name" for each,
# in the order in which they are to be installed, and "LACKS: asked<tab>why" for what cannot be had.
local({
  given <- commandArgs(TRUE)
  folder <- given[1L]
  wanted <- given[-1L]
  lack <- function(...) stop(structure(class = c("lack", "error", "condition"), list(message = paste0(...), call = NULL)))
  refuse <- function(asked, why) cat("LACKS: ", asked, "\t", why, "\n", sep = "")
  quietly <- function(code) suppressMessages(suppressWarnings(tryCatch(code, error = function(condition) NULL)))

  repos <- getOption("repos")
  # So an R says that nobody has chosen a mirror: it lists them, the one for everybody first.
  repos[repos %in% "@CRAN@"] <- utils::getCRANmirrors(local.only = TRUE)[1L, "URL"]
  if (!length(repos)) {
    for (asked in wanted) refuse(asked, "this R names no repository")
    quit(status = 0L)
  }
  options(timeout = 120)
  of_any_r <- c("OS_type", "subarch", "duplicates")
  all <- quietly(utils::available.packages(repos = repos, type = "source", filters = of_any_r))
  if (is.null(all) || !nrow(all)) {
    for (asked in wanted) refuse(asked, paste0("no repository of this R answers (", toString(repos), ")"))
    quit(status = 0L)
  }

  names <- sub("[=>]=.*", "", wanted)
  versions <- ifelse(names == wanted, "", substring(wanted, nchar(names) + 1L))
  names(versions) <- names
  here <- utils::installed.packages()[, "Version"]
  kinds <- c("Depends", "Imports", "LinkingTo")
  needs <- function(name) {
    # Each package that one needs, with the oldest version that will do, or "".
    parts <- trimws(unlist(strsplit(all[name, kinds][!is.na(all[name, kinds])], ",")))
    least <- ifelse(grepl(">=", parts), gsub("^.*>=\\s*|\\s*\\)$", "", parts), "")
    structure(least, names = sub("\\s*\\(.*", "", parts))
  }
  is_older <- function(version, least) nzchar(least) && utils::compareVersion(version, least) < 0
  base <- rownames(utils::installed.packages(priority = "base"))
  order <- character()
  visit <- function(name, least, above) {
    if (name %in% c(order, above, base)) return(character())
    if (name %in% names(here) && !name %in% names && !is_older(here[[name]], least)) return(character())
    if (!name %in% rownames(all)) lack("no repository of this R has ", name, " (", toString(repos), ")")
    if (is_older(all[name, "Version"], least)) {
      lack(name, " ", least, " is asked for, and the repository has ", all[name, "Version"])
    }
    wants <- needs(name)
    pinned <- name %in% names && startsWith(versions[[name]], "==")
    for (asks in wants[names(wants) == "R"]) {
      if (!pinned && is_older(as.character(getRversion()), asks)) {
        lack(name, " ", all[name, "Version"], " needs R ", asks, ", and this is R ", as.character(getRversion()))
      }
    }
    found <- character()
    for (other in setdiff(names(wants), "R")) {
      found <- c(found, visit(other, max(wants[names(wants) == other]), c(above, name)))
    }
    unique(c(found, name))
  }
  fetched <- function(url) {
    file <- file.path(folder, basename(url))
    done <- quietly(utils::download.file(url, file, quiet = TRUE, mode = "wb"))
    if (identical(as.integer(done), 0L) && file.exists(file)) basename(file) else ""
  }
  fetch <- function(name) {
    has <- all[name, "Version"]
    asked <- if (name %in% names) versions[[name]] else ""
    version <- substring(asked, 3L)
    from <- all[name, "Repository"]
    other <- startsWith(asked, "==") && utils::compareVersion(has, version) != 0
    url <- if (other) {
      file.path(from, "Archive", name, paste0(name, "_", version, ".tar.gz"))
    } else {
      file.path(from, paste0(name, "_", has, ".tar.gz"))
    }
    file <- fetched(url)
    if (!nzchar(file) && other) lack(name, " ", version, " is asked for, and the repository has ", has)
    if (!nzchar(file)) lack(name, " ", has, " could not be downloaded from ", from)
    file
  }
  for (asked in wanted) {
    name <- sub("[=>]=.*", "", asked)
    least <- if (startsWith(versions[[name]], ">=")) substring(versions[[name]], 3L) else ""
    tryCatch({
      new <- visit(name, least, character())
      for (file in vapply(new, fetch, "")) cat("FILE: ", file, "\n", sep = "")
      order <- c(order, new)
    }, lack = function(condition) refuse(asked, conditionMessage(condition)))
  }
})
