import { noteBuilt, stateOfSources } from "../programs.mjs";
import { repositoryRoot } from "../repository.ts";
import { keepPrograms } from "./kept-programs.ts";

/** Builds the programs that the next `npm start` runs. Started by this one (scripts/toolchain.mjs), which runs the sources, and ended with it. */
const asked = new AbortController();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => asked.abort());

try {
	const { stamp, settled } = stateOfSources(repositoryRoot);
	if (settled) {
		const { hash } = await keepPrograms(asked.signal);
		// If the sources changed during the build, it is not noted, because their state now says nothing about what was built.
		if (stateOfSources(repositoryRoot).stamp === stamp) noteBuilt(repositoryRoot, hash, stamp);
	}
} catch (error) {
	if (!asked.signal.aborted) throw error;
	process.exitCode = 1;
}
