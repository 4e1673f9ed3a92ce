import { stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { byteSize } from "../cli/duration.ts";
import type { Finding } from "./finding.ts";

const NODE_MAJOR = 24;
const LOW_DISK_BYTES = 1024 ** 3;

/** The machine under the product: Node, the home folder, its permissions, the disk. Writes nothing. */
export async function examineMachine(home: string): Promise<readonly Finding[]> {
	return [nodeFinding(process.versions.node), ...(await homeFindings(home)), await diskFinding(home)];
}

function nodeFinding(version: string): Finding {
	const major = Number(version.split(".")[0]);
	if (major >= NODE_MAJOR) return { about: "node", state: "ok", message: version };
	return { about: "node", state: "problem", message: `${version} is too old`, fix: "Start through npm start, which brings its own Node." };
}

async function homeFindings(home: string): Promise<readonly Finding[]> {
	const found = await stat(home).catch(() => undefined);
	if (found === undefined) return [{ about: "home", state: "note", message: `${home} is not there yet; the first start makes it` }];
	if (!found.isDirectory())
		return [{ about: "home", state: "problem", message: `${home} is no folder`, fix: "Set XWORKMATE_HOME to a folder." }];
	const secrets = [join(home, "bridge", "token"), join(home, "app", "token")];
	const open = await Promise.all([[home, 0o700] as const, ...secrets.map((path) => [path, 0o600] as const)].map(permissionFinding));
	return [{ about: "home", state: "ok", message: home }, ...open.flatMap((finding) => finding ?? [])];
}

async function permissionFinding([path, mode]: readonly [string, number]): Promise<Finding | undefined> {
	const found = await stat(path).catch(() => undefined);
	if (found === undefined || (found.mode & 0o077) === 0) return undefined;
	const fix = `chmod ${mode.toString(8)} '${path}'`;
	return { about: "permissions", state: "problem", message: `other users can read ${path}`, fix };
}

async function diskFinding(home: string): Promise<Finding> {
	const found = await statfs(home).catch(() => statfs("/"));
	const free = found.bavail * found.bsize;
	const message = `${byteSize(free)} free`;
	if (free >= LOW_DISK_BYTES) return { about: "disk", state: "ok", message };
	return { about: "disk", state: "problem", message, fix: "Free some space: results that do not fit cannot be saved." };
}

/** True when nothing listens there. */
export function isPortFree(host: string, port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", () => resolve(false));
		server.listen(port, host, () => server.close(() => resolve(true)));
	});
}
