import type { Logger } from "pino";
import {
	CheckerUnavailableError,
	type CheckResult,
	type ProgramChecker,
	type UncheckedProgram,
} from "../../ports/programs/program-checker.ts";
import type { ToolCatalogue } from "../../ports/tools/tool-hosts.ts";
import { scriptTools } from "./script-tools.ts";

interface CheckDeps {
	readonly checker: ProgramChecker;
	readonly log: Pick<Logger, "error">;
}

/**
 * Checks a program against the built-in tools and those of the catalogue. Undefined: the program was not checked, because the run was
 * stopped or for a reason that is in the log.
 */
export async function checkProgram(
	{ checker, log }: CheckDeps,
	{ source, language }: Pick<UncheckedProgram, "source" | "language">,
	catalogue: ToolCatalogue,
	stop: AbortSignal,
): Promise<CheckResult | undefined> {
	const declarations = scriptTools.declarationsWith(catalogue.declarations);
	const stopped = Promise.withResolvers<undefined>();
	const onStop = (): void => stopped.resolve(undefined);
	stop.addEventListener("abort", onStop);
	if (stop.aborted) onStop();
	try {
		return await Promise.race([checker.check({ source, language, declarations }, stop), stopped.promise]);
	} catch (error) {
		if (stop.aborted) return undefined;
		if (!(error instanceof CheckerUnavailableError)) throw error;
		log.error({ err: error }, "the type checker is not available");
		return undefined;
	} finally {
		stop.removeEventListener("abort", onStop);
	}
}
