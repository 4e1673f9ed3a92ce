import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunId } from "@xworkmate/contracts";
import type { HookContext } from "../hooks/hook-context.ts";
import type { RunRegistry } from "../runs/run-registry.ts";

/** A run's own folder for temporary files, so that they cannot be mistaken for another run's. */
export function temporaryFolder(stateDirectory: string, runId: RunId): string {
	return join(stateDirectory, "tmp", runId);
}

/** The environment variables for commands of our runs. The hook knows only the session, which has one run at a time. */
export function execEnvironment(
	{ sessionKey }: HookContext,
	registry: RunRegistry,
	stateDirectory: string,
): Readonly<Record<string, string>> | undefined {
	const record = sessionKey === undefined ? undefined : registry.activeOf(sessionKey);
	if (record === undefined) return undefined;
	const temporary = temporaryFolder(stateDirectory, record.runId);
	mkdirSync(temporary, { recursive: true, mode: 0o700 });
	return { XWORKMATE_ARTIFACT_DIRECTORY: record.artifactDirectory, TMPDIR: temporary };
}
