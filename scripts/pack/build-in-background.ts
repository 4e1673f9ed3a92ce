import { noteBuilt, stateOfSources } from "../programs.mjs";
import { repositoryRoot } from "../repository.ts";
import { keepPrograms } from "./kept-programs.ts";

/** Builds the programs that the next `npm start` runs. Started by this one (scripts/toolchain.mjs), which runs the sources. */
const { stamp, settled } = stateOfSources(repositoryRoot);
if (settled) {
	const { hash } = await keepPrograms();
	// What was built from changing sources is nothing that the state of the sources could vouch for.
	if (stateOfSources(repositoryRoot).stamp === stamp) noteBuilt(repositoryRoot, hash, stamp);
}
