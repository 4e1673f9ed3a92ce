import { access, constants, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Capabilities, StorageSpace } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { Finding } from "../api/ui-api.ts";
import { formatBytes } from "../text/format-measure.ts";
import { spaceState } from "./space-state.ts";

const NODE_MAJOR = 24;

/** Checks the machine: Node, the home folder, its permissions, the disk. Writes nothing. */
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
		fix: "Use Node 24 or later. A checkout includes its own: npm run start",
	};
}

async function homeFindings(home: string): Promise<readonly Finding[]> {
	const found = await stat(home).catch(() => undefined);
	if (found === undefined) return [{ about: "home", state: "note", message: `${home} doesn't exist yet. The first start creates it.` }];
	if (!found.isDirectory())
		return [{ about: "home", state: "problem", message: `${home} is not a folder.`, fix: "Set XWORKMATE_HOME to a folder." }];
	const secrets = [join(home, "bridge", "token"), join(home, "app", "token")];
	const open = await Promise.all([[home, 0o700] as const, ...secrets.map((path) => [path, 0o600] as const)].map(permissionFinding));
	return [homeFinding(home, await writeRefusal(home)), ...open.flatMap((finding) => finding ?? [])];
}

/** A folder that cannot be written to has its own message, because freeing space would not help. */
export function homeFinding(home: string, refusal: string | undefined): Finding {
	if (refusal === undefined) return { about: "home", state: "ok", message: home };
	const elsewhere = "set XWORKMATE_HOME to a folder that you can write to";
	if (refusal === "EROFS") {
		const fix = `Make the file system writable, or ${elsewhere}.`;
		return { about: "home", state: "problem", message: `${home} is on a read-only file system. Nothing can be saved.`, fix };
	}
	const fix = `Give yourself permission to write there, or ${elsewhere}.`;
	return { about: "home", state: "problem", message: `${home} can't be written to (${refusal}). Nothing can be saved.`, fix };
}

/** The system's error code for refusing to write to a folder; undefined if writing is allowed. */
async function writeRefusal(folder: string): Promise<string | undefined> {
	try {
		await access(folder, constants.W_OK);
		return undefined;
	} catch (error) {
		return systemErrorCode(error) ?? "UNKNOWN";
	}
}

async function permissionFinding([path, mode]: readonly [string, number]): Promise<Finding | undefined> {
	const found = await stat(path).catch(() => undefined);
	if (found === undefined || (found.mode & 0o077) === 0) return undefined;
	const fix = `Restrict access: chmod ${mode.toString(8)} '${path}'`;
	return { about: "permissions", state: "problem", message: `Other users can access ${path}.`, fix };
}

/** Free space on the disk of the home, which may not exist yet. */
export async function diskFinding(home: string): Promise<Finding> {
	const folder = await nearestFolder(home);
	const found = await statfs(folder).catch(() => undefined);
	if (found === undefined || found.blocks * found.bsize <= 0) return unknownDisk;
	const space = { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize };
	return (await writeRefusal(folder)) === "EROFS" ? readOnlyDisk(space) : spaceFinding("disk", space);
}

/** Some network file systems do not report their free space, which does not mean that it is low. */
const unknownDisk: Finding = { about: "disk", state: "ok", message: "The file system doesn't report how much space is free." };

/** Reports that the bridge's disk has no room for a run as large as the largest recent one, unless the disk is almost full anyway. */
export function roomFindings({ storage }: Pick<Capabilities, "storage">): readonly Finding[] {
	const { neededBytes, ...space } = storage ?? { freeBytes: 0, totalBytes: 0 };
	if (neededBytes === undefined || space.freeBytes >= neededBytes || spaceState(space) === "scarce") return [];
	const message = `${formatBytes(space.freeBytes)} free. A run as large as the largest recent one needs ${formatBytes(neededBytes)}.`;
	const fix = "Free some space, or keep less: Settings > Storage. While the disk is full, runs wait and files can't be saved.";
	return [{ about: "disk", state: "problem", message, fix }];
}

/** A read-only disk, without its free space: such a disk often reports that it is full, which would mislead the user. */
export function readOnlyDisk({ totalBytes }: StorageSpace): Finding {
	return { about: "disk", state: "note", message: `Read-only, ${formatBytes(totalBytes)}.` };
}

async function nearestFolder(path: string): Promise<string> {
	const found = await stat(path).catch(() => undefined);
	return found !== undefined || dirname(path) === path ? path : await nearestFolder(dirname(path));
}

/** Warns before a disk is full. A low percentage of free space on a large disk is only a note, because it may be enough for a long time. */
export function spaceFinding(about: string, space: StorageSpace): Finding {
	const message = `${formatBytes(space.freeBytes)} of ${formatBytes(space.totalBytes)} free.`;
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

/** The system's error code for refusing to listen on the port; undefined if it is free. */
export function portRefusal(host: string, port: number): Promise<string | undefined> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", (error) => resolve(systemErrorCode(error) ?? "UNKNOWN"));
		server.listen(port, host, () => server.close(() => resolve(undefined)));
	});
}
