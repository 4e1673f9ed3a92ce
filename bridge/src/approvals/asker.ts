import { type Asker, omitUndefined } from "@xworkmate/contracts";
import type { RunRecord } from "../ports/runs/run-record.ts";

/** The agent that makes a run's requests, and the folder that it works in. */
export function askerOf({ provider, projectDirectory, input }: RunRecord): Asker {
	const { target, providerId } = provider;
	const workingDirectory = projectDirectory ?? input.remoteWorkingDirectoryHint;
	return { target, providerId, ...omitUndefined({ workingDirectory }) };
}
