import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { RunRecord } from "../runs/run-record.ts";
import { isBelow } from "../tools/real-target.ts";

/** The gateway's own folder, and the folders where its tools leave files. */
export interface GatewayPlaces {
	readonly state: string;
	readonly media: string;
	readonly temporary: readonly string[];
}

/** Finds these folders. Symbolic links are resolved in the path of each that exists. */
export function gatewayPlaces(stateDirectory: string): GatewayPlaces {
	const state = realIfThere(stateDirectory);
	return { state, media: join(state, "media"), temporary: [...new Set([realIfThere(tmpdir()), realIfThere("/tmp/openclaw")])] };
}

export type Place = "scope" | "workspace" | "media" | "temporary" | "elsewhere";

/**
 * The place that contains an absolute real path. The workspace and the state are looked at first, because they may themselves be in a
 * folder for temporary files.
 */
export function placeOf(path: string, { artifactDirectory, workspaceDirectory }: RunRecord, places: GatewayPlaces): Place {
	if (isBelow(path, artifactDirectory)) return "scope";
	if (isBelow(path, workspaceDirectory)) return "workspace";
	if (isBelow(path, places.media)) return "media";
	if (isBelow(path, places.state)) return "elsewhere";
	return places.temporary.some((folder) => isBelow(path, folder)) ? "temporary" : "elsewhere";
}

function realIfThere(path: string): string {
	try {
		return realpathSync(path);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return path;
		throw error;
	}
}
