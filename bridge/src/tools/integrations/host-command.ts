import { existsSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProcessGroupCommand } from "../../processes/group/process-group.ts";

const HOST = fileURLToPath(new URL("../host/tool-host.ts", import.meta.url));
/** The folder of the bridge's own modules. */
const OWN_MODULES = fileURLToPath(new URL("../..", import.meta.url));
const HEAP_MIB = 128;
/** The limit for all writable memory of the process, including buffers, which are not part of the heap. */
const MEMORY_KIB = 1024 * 1024;
/** Sets the limit if the shell can. The shell adds its own variables, which `env` removes. */
const BOUNDED = 'ulimit -d "$1" 2>/dev/null; shift; exec /usr/bin/env -i "$@"';

/**
 * The command that runs an integration's code: no environment, no files except our modules and its data folder, no processes, no workers,
 * no addons. Node's permissions do not block the network, which tools need, and do not protect against malicious code. Code
 * is imported before the user accepts it, but none of its tools is called without approval until then.
 */
export function hostCommand(integration: string, dataFolder: string): ProcessGroupCommand {
	const node = [
		process.execPath,
		`--max-old-space-size=${HEAP_MIB}`,
		"--permission",
		...[...modulesOf(HOST), dataFolder].map((path) => `--allow-fs-read=${path}`),
		`--allow-fs-write=${dataFolder}`,
		"--disable-warning=ExperimentalWarning",
		HOST,
	];
	const [command, args] =
		existsSync("/bin/sh") && existsSync("/usr/bin/env")
			? ["/bin/sh", ["-c", BOUNDED, "sh", String(MEMORY_KIB), ...node]]
			: [process.execPath, node.slice(1)];
	return { command, args, workingDirectory: tmpdir(), environment: {}, label: `tools ${integration}` };
}

/** The folders from which Node loads the host and what it imports. */
function modulesOf(host: string): readonly string[] {
	const packages = ["@xworkmate/tool", "@xworkmate/contracts"].flatMap(findModule);
	const readable = [OWN_MODULES, ...packages.map(dirname)];
	for (const start of [host, ...packages]) {
		for (let folder = dirname(start); folder !== dirname(folder); folder = dirname(folder)) {
			const installed = join(folder, "node_modules");
			readable.push(join(folder, "package.json"));
			if (existsSync(installed)) readable.push(installed, realpathSync(installed));
		}
	}
	return [...new Set(readable)];
}

/** The paths of a package. The installed bridge has the contracts inside its own modules, and so has no package of that name. */
function findModule(name: string): readonly string[] {
	try {
		return [realpathSync(fileURLToPath(import.meta.resolve(name)))];
	} catch {
		return [];
	}
}
