/* SPDX-License-Identifier: Apache-2.0 */
/* The one file in C++: clang has no interface in C that makes bitcode. */
#include "cc/front/driver.h"

#include <cstring>
#include <memory>

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/Stack.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Options.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendDiagnostic.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/InitLLVM.h>
#include <llvm/Support/PrettyStackTrace.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/Signals.h>
#include <llvm/TargetParser/Host.h>

/* Polly, a part of Debian's LLVM that is not among its archives: clang asks for its
 * passes, none of which it runs here. */
llvm::PassPluginLibraryInfo
getPollyPluginInfo();

llvm::PassPluginLibraryInfo
getPollyPluginInfo()
{
    return { LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder &) {} };
}

namespace {

/* The first words of the program when it crashes. */
constexpr char crash_message[] =
    "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ "
    "and include the crash backtrace, preprocessed source, and associated run "
    "script.\n";

using Words = llvm::SmallVector<const char *, 256>;

/* Reports a fatal error of LLVM as one of clang's, and ends the process. */
void
report_fatal(void *diagnostics, const char *message, bool crashed)
{
    auto *d = static_cast<clang::DiagnosticsEngine *>(diagnostics);
    d->Report(clang::diag::err_fe_error_backend) << message;
    llvm::sys::RunInterruptHandlers();
    llvm::sys::Process::Exit(crashed ? 70 : 1);
}

/* The front end: the words that the driver makes of its own, to bitcode. */
int
compile(llvm::SmallVectorImpl<const char *> &words)
{
    auto *instance = new clang::CompilerInstance; /* not destroyed: that takes time */
    auto *early = new clang::TextDiagnosticBuffer;
    clang::DiagnosticsEngine of_words(new clang::DiagnosticIDs,
                                      new clang::DiagnosticOptions, early);
    bool ok = clang::CompilerInvocation::CreateFromArgs(
        instance->getInvocation(), llvm::ArrayRef(words).slice(1), of_words,
        words[0]);
    instance->createDiagnostics();
    if (!instance->hasDiagnostics())
        return 1;
    llvm::install_fatal_error_handler(report_fatal,
                                      &instance->getDiagnostics());
    early->FlushDiagnostics(instance->getDiagnostics());
    if (!ok) {
        instance->getDiagnosticClient().finish();
        return 1;
    }
    auto *action = new clang::EmitBCAction;
    ok = instance->ExecuteAction(*action);
    llvm::remove_fatal_error_handler();
    return !ok;
}

/* How the driver itself reports: colour and warnings as its words say. */
clang::DiagnosticOptions *
options_of(llvm::ArrayRef<const char *> words)
{
    auto *options = new clang::DiagnosticOptions;
    unsigned missing, n;
    llvm::opt::InputArgList list = clang::driver::getDriverOptTable().ParseArgs(
        words.slice(1), missing, n);
    clang::ParseDiagnosticArgs(*options, list);
    return options;
}

/* The driver, in a process whose signals LLVM handles or in one that has only to load. */
int
drive(const char *path, llvm::ArrayRef<const char *> words)
{
    clang::DiagnosticOptions *options = options_of(words);
    auto *printer = new clang::TextDiagnosticPrinter(llvm::errs(), options);
    printer->setPrefix(words[0]);
    clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, options,
                                         printer);
    clang::ProcessWarningOptions(diagnostics, *options, false);
    clang::driver::Driver driver(path, llvm::sys::getDefaultTargetTriple(),
                                 diagnostics);
    driver.CC1Main = compile;
    llvm::CrashRecoveryContext::Enable();
    std::unique_ptr<clang::driver::Compilation> plan(
        driver.BuildCompilation(words));
    if (!plan || plan->containsError())
        return 1;
    llvm::SmallVector<std::pair<int, const clang::driver::Command *>, 4> failed;
    int status = driver.ExecuteCompilation(*plan, failed);
    for (const auto &f : failed)
        status = status ? status : f.first;
    printer->finish();
    return status;
}

} /* namespace */

int
front_driver_main(const char *path, char **args)
{
    Words words;
    for (char **at = args; *at; at++)
        words.push_back(*at);
    int n = static_cast<int>(words.size());
    clang::noteBottomOfStack();
    new llvm::InitLLVM(n, args); /* not destroyed: it would unload LLVM */
    llvm::setBugReportMsg(crash_message);
    return drive(path, words);
}

void
front_driver_warm(const char *path)
{
    drive(path, { "clang-19", "-target", "spir--", "--no-default-config", "-x",
                  "cl", "-cl-std=CL3.0", "-O2", "-Xclang",
                  "-disable-llvm-passes", "-gline-tables-only", "-emit-llvm",
                  "-c", "-o", "/dev/null", "/dev/null" });
    llvm::CrashRecoveryContext::Disable();
}
