import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "@xworkmate/platform/files";
import type { Logger } from "pino";
import { systemClock } from "../../ports/clock.ts";
import type { ToolHosts, TypedTool, VersionState } from "../../ports/tools/tool-hosts.ts";
import type { ToolRules } from "../../ports/tools/tool-rules.ts";
import type { ToolService } from "../../ports/tools/tool-service.ts";
import type { ToolStore } from "../../ports/tools/tool-store.ts";
import type { FrameProcessDeps } from "../../processes/frames/frame-process.ts";
import { builtInGroups } from "../host/host-messages.ts";
import { HomeToolService } from "./home-tool-service.ts";
import { HostPool, type HostPoolOptions } from "./host-pool.ts";
import { Integrations } from "./integrations.ts";
import { ProcessToolHosts } from "./process-tool-hosts.ts";
import { SecretsFile } from "./secrets-file.ts";
import { ToolWatch } from "./tool-watch.ts";
import { UserRules } from "./user-rules.ts";
import { VersionStore } from "./version-store.ts";

export interface OpenToolsOptions extends FrameProcessDeps, Pick<HostPoolOptions, "maxHosts" | "idleMs" | "waitMs" | "bounds"> {
	/** `XWORKMATE_HOME`. */
	readonly home: string;
	readonly bridgeHome: string;
	readonly store: ToolStore;
	readonly acceptsAll: boolean;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly log: Pick<Logger, "warn" | "error">;
	/** Default: those of this repository. */
	readonly examplesFolder?: string;
}

/** The typed tools of a home. */
export interface HomeTools extends AsyncDisposable {
	readonly hosts: ToolHosts;
	readonly service: ToolService;
	readonly rules: ToolRules;
	/** The state of this version of the tool now. The bridge's own tools need no acceptance. */
	readonly versionState: (tool: Pick<TypedTool, "toolId" | "toolHash">) => VersionState;
	/** Writes one file of an integration, and reads the integrations again. */
	readonly write: HomeToolService["write"];
	/** Calls the listener when the list of tools may have changed. */
	onChanged(listener: () => void): void;
	/** Reads the integrations and begins to watch them. Until then, there are none. Never rejects. */
	begin(): Promise<void>;
}

const EXAMPLES = fileURLToPath(new URL("../../../../examples/tools", import.meta.url));

/** @throws errors of the store */
export async function openTools(options: OpenToolsOptions): Promise<HomeTools> {
	const { home, bridgeHome, store, log, environment, acceptsAll, examplesFolder = EXAMPLES } = options;
	const folder = join(home, "tools");
	makeToolsFolder(folder, log);
	const rules = await UserRules.open(store);
	const pool = new HostPool({ ...options, dataFolder: join(home, "tool-data") });
	const versions = new VersionStore(join(bridgeHome, "tools"));
	const listeners = new Set<() => void>();
	const changed = () => {
		for (const listener of listeners) listener();
	};
	const integrations = new Integrations({ changed, folder, pool, versions, store, clock: systemClock, log, acceptsAll });
	// Failures are logged, and the next change triggers another attempt.
	const reload = () => integrations.reload(false).catch(() => undefined);
	const follow = async () => {
		if (watch.follow(integrations.folders)) await reload();
	};
	const watch = new ToolWatch({ changed: () => reload().then(follow) });
	const service = new HomeToolService({ changed, integrations, rules, versions, clock: systemClock, folder, examplesFolder });
	return {
		hosts: new ProcessToolHosts(integrations, pool, new SecretsFile(join(home, "secrets.json"), environment)),
		service,
		rules,
		versionState: ({ toolId, toolHash }) => {
			if (builtInGroups.has(toolId.split(".", 1)[0] ?? "")) return "accepted";
			const now = [...integrations.now.tools.values()].find((tool) => tool.toolId === toolId && tool.toolHash === toolHash);
			if (now === undefined) return integrations.wereRead ? "gone" : "unread";
			return now.isAccepted ? "accepted" : "unaccepted";
		},
		write: (integration, path, source) => service.write(integration, path, source),
		onChanged: (listener) => void listeners.add(listener),
		begin: async () => {
			await integrations.open().catch(() => undefined);
			await follow();
		},
		[Symbol.asyncDispose]: async () => {
			watch[Symbol.dispose]();
			await pool.close();
			await integrations.settled();
		},
	};
}

/** Called only before the bridge announces that it is listening. Later, a missing folder may mean that the whole home is missing. */
function makeToolsFolder(folder: string, log: Pick<Logger, "warn">): void {
	try {
		makeFolder(folder);
	} catch (error) {
		log.warn({ err: error }, "the tools folder could not be created");
	}
}
