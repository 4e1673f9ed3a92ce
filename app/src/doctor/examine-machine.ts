import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { StorageSpace } from "@xworkmate/contracts";
import { AppError } from "../app-error.ts";
import { homeProblem } from "../app-process/home-problem.ts";
import { byteSize } from "../cli/duration.ts";
import type { Finding } from "./finding.ts";
import { spaceState } from "./space-state.ts";

const NODE_MAJOR = 24;

/** The machine under the product: Node, the home folder, its permissions, the disk. Writes nothing. */
export async function examineMachine(home: string): Promise<readonly Finding[]> {
	return [nodeFinding(process.versions.node), ...(await homeFindings(home)), await diskFinding(home)];
}

function nodeFinding(version: string): Finding {
	const major = Number(version.split(".")[0]);
	if (major >= NODE_MAJOR) return { about: "node", state: "ok", message: version };
	return {
		about: "node",
		state: "problem",
		message: `Node ${version} is too old.`,
		fix: "Start it through npm, which brings its own Node: npm start",
	};
}

async function homeFindings(home: string): Promise<readonly Finding[]> {
	const found = await stat(home).catch(() => undefined);
	if (found === undefined) return [{ about: "home", state: "note", message: `${home} does not exist yet. The first start creates it.` }];
	if (!found.isDirectory())
		return [{ about: "home", state: "problem", message: `${home} is not a folder.`, fix: "Set XWORKMATE_HOME to a folder." }];
	const secrets = [join(home, "bridge", "token"), join(home, "app", "token")];
	const open = await Promise.all([[home, 0o700] as const, ...secrets.map((path) => [path, 0o600] as const)].map(permissionFinding));
	return [await writableFinding(home), ...open.flatMap((finding) => finding ?? [])];
}

/** Asks the system, and writes nothing. */
async function writableFinding(home: string): Promise<Finding> {
	const refusal = await access(home, constants.W_OK).then(
		() => undefined,
		(error: unknown) => homeProblem(error, home),
	);
	if (refusal instanceof AppError) return { about: "home", state: "problem", message: refusal.message, fix: refusal.fix };
	return { about: "home", state: "ok", message: home };
}

async function permissionFinding([path, mode]: readonly [string, number]): Promise<Finding | undefined> {
	const found = await stat(path).catch(() => undefined);
	if (found === undefined || (found.mode & 0o077) === 0) return undefined;
	const fix = `Restrict it: chmod ${mode.toString(8)} '${path}'`;
	return { about: "permissions", state: "problem", message: `Other users can read ${path}.`, fix };
}

/** What is free where the home lies, or will lie. */
export async function diskFinding(home: string): Promise<Finding> {
	const { bavail, blocks, bsize } = await statfs(home).catch(() => statfs("/"));
	return spaceFinding("disk", { freeBytes: bavail * bsize, totalBytes: blocks * bsize });
}

/** Warns before a disk is full. Little of a large disk is a note, as it may last for long. */
export function spaceFinding(about: string, space: StorageSpace): Finding {
	const message = `${byteSize(space.freeBytes)} of ${byteSize(space.totalBytes)} free.`;
	const fix = "Free some space. While the disk is full, runs wait and files can't be saved.";
	switch (spaceState(space)) {
		case "scarce":
			return { about, state: "problem", message, fix };
		case "low":
			return { about, state: "note", message: `${message} That is less than 5%.`, fix };
		case "enough":
			return { about, state: "ok", message };
	}
}

/** True when nothing listens there. */
export function isPortFree(host: string, port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", () => resolve(false));
		server.listen(port, host, () => server.close(() => resolve(true)));
	});
}
