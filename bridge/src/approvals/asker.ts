import { type Asker, omitUndefined } from "@xworkmate/contracts";
import type { RunRecord } from "../ports/runs/run-record.ts";

/** Who asks in a run, and where it works. */
export function askerOf({ provider, projectDirectory, input }: RunRecord): Asker {
	const { target, providerId } = provider;
	const workingDirectory = projectDirectory ?? input.remoteWorkingDirectoryHint;
	return { target, providerId, ...omitUndefined({ workingDirectory }) };
}
