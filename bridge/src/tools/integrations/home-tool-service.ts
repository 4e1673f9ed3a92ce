import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import {
	ContractError,
	type Integration,
	IntegrationId,
	type ListedTool,
	type MethodParams,
	type MethodResult,
	type Sha256,
	ToolId,
	type ToolSources,
} from "@xworkmate/contracts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { ToolService } from "../../ports/tools/tool-service.ts";
import { builtInGroups, type DeclaredTool } from "../host/host-messages.ts";
import { declarationOf } from "./catalogue.ts";
import { firstTool } from "./first-tool.ts";
import type { IntegrationNow, Integrations } from "./integrations.ts";
import { placeIntegration } from "./place-integration.ts";
import { readSources } from "./read-sources.ts";
import { type SourceFile, sourcesHashOf, type ToolVersion } from "./tool-version.ts";
import type { UserRules } from "./user-rules.ts";
import type { VersionStore } from "./version-store.ts";
import { writeSource } from "./write-source.ts";

export interface HomeToolServiceOptions {
	readonly integrations: Integrations;
	readonly rules: UserRules;
	readonly versions: VersionStore;
	readonly clock: Clock;
	/** Called when a rule has changed. */
	readonly changed: () => void;
	/** `XWORKMATE_HOME/tools`. */
	readonly folder: string;
	/** The examples that can be added. */
	readonly examplesFolder: string;
}

const PERSON = "person";

/** Carries out what users do with the integrations of the home. */
export class HomeToolService implements ToolService {
	readonly #options: HomeToolServiceOptions;

	constructor(options: HomeToolServiceOptions) {
		this.#options = options;
	}

	async list(): Promise<MethodResult<"xworkmate.tools.list">> {
		const { integrations } = this.#options;
		await integrations.settled();
		return { integrations: integrations.list().map((now) => this.#integration(now)) };
	}

	async reload({ integration }: MethodParams<"xworkmate.tools.reload">): Promise<MethodResult<"xworkmate.tools.reload">> {
		const { integrations } = this.#options;
		await integrations.reload(true);
		if (integration === undefined) return this.list();
		return { integrations: [this.#integration(this.#known(integration))] };
	}

	async accept({ integration, toolHash }: MethodParams<"xworkmate.tools.accept">): Promise<Integration> {
		const { integrations } = this.#options;
		await integrations.settled();
		const { version } = this.#known(integration);
		if (version?.toolHash !== toolHash) throw new ContractError("TOOL_CHANGED");
		if (!integrations.isAccepted(version)) await integrations.accept(version, PERSON);
		return this.#integration(this.#known(integration));
	}

	async add({ example }: MethodParams<"xworkmate.tools.add">): Promise<Integration> {
		const integration = IntegrationId.safeParse(example);
		const folder = join(this.#options.examplesFolder, integration.data ?? "");
		if (!integration.success || !(await isFolder(folder)))
			throw new ContractError("TOOL_NOT_FOUND", {
				detail: `There is no example named ${JSON.stringify(example)}.`,
				fix: await exampleNames(this.#options.examplesFolder),
			});
		const sources = await readSources(folder);
		if (sources.kind === "refused") {
			const { file, message } = sources.problem;
			// The message itself calls the file "this file", because the list of tools shows its name beside it.
			const detail = `The example can't be used${file === undefined ? "" : ` (${file})`}: ${message}`;
			throw new ContractError("INVALID_PARAMS", { detail, fix: "Choose another example." });
		}
		return this.#place(integration.data, sources.files);
	}

	async new({ integration }: MethodParams<"xworkmate.tools.new">): Promise<Integration> {
		return this.#place(integration, [{ path: "tools.ts", text: firstTool(integration) }]);
	}

	async sources({ integration, toolHash }: MethodParams<"xworkmate.tools.sources">): Promise<MethodResult<"xworkmate.tools.sources">> {
		const { integrations, versions } = this.#options;
		await integrations.settled();
		const version = toolHash === undefined ? this.#known(integration).version : versions.get(toolHash);
		if (version?.integration !== integration)
			throw new ContractError("TOOL_NOT_FOUND", {
				detail:
					toolHash === undefined ? "No version of this integration has loaded." : "No stored version of this integration has this hash.",
				fix:
					toolHash === undefined
						? "Correct the problems that the list of tools shows for it."
						: "Send a toolHash that xworkmate.tools.list returns.",
			});
		const accepted = this.#acceptedOf(integration);
		return {
			integration,
			...this.#contentOf(version),
			...(accepted === undefined ? {} : { accepted: this.#contentOf(accepted) }),
		};
	}

	async policy({ toolId, decision }: MethodParams<"xworkmate.tools.policy">): Promise<ListedTool> {
		const { integrations, rules, clock, changed } = this.#options;
		await integrations.settled();
		const [integration = ""] = toolId.split(".");
		const declared = integrations.find(IntegrationId.parse(integration))?.version?.tools.find((tool) => tool.toolId === toolId);
		if (declared === undefined) throw new ContractError("TOOL_NOT_FOUND");
		if (decision === "inherit") await rules.remove(toolId);
		else await rules.set({ toolId, decision, by: PERSON, at: timestamp(clock.now()) });
		changed();
		return this.#tool(declared);
	}

	/**
	 * Writes one file of an integration. The resulting version still has to be accepted, unless that version is already accepted, or
	 * `toolsAccept` is auto.
	 * @throws SourceRefused
	 */
	async write(integration: IntegrationId, path: string, source: string): Promise<Integration> {
		const { integrations, folder } = this.#options;
		await writeSource(folder, integration, path, source);
		await integrations.reload(true);
		return this.#integration(this.#known(integration));
	}

	/** Writes an integration, and accepts exactly the files that it wrote, if they load. */
	async #place(integration: IntegrationId, files: readonly SourceFile[]): Promise<Integration> {
		const { integrations, folder } = this.#options;
		if (builtInGroups.has(integration)) {
			const detail = `The name ${integration} is reserved for built-in tools.`;
			throw new ContractError("INVALID_PARAMS", { detail, fix: "Choose another name." });
		}
		await placeIntegration(folder, integration, files);
		await integrations.reload(true);
		const { version, problems } = this.#known(integration);
		if (version !== undefined && problems.length === 0 && version.sourcesHash === sourcesHashOf(integration, files))
			await integrations.accept(version, PERSON);
		return this.#integration(this.#known(integration));
	}

	/** @throws ContractError TOOL_NOT_FOUND */
	#known(integration: IntegrationId): IntegrationNow {
		const now = this.#options.integrations.find(integration);
		if (now === undefined) throw new ContractError("TOOL_NOT_FOUND");
		return now;
	}

	#acceptedOf(integration: IntegrationId): ToolVersion | undefined {
		const toolHash: Sha256 | undefined = this.#options.integrations.acceptanceOf(integration)?.toolHash;
		return toolHash === undefined ? undefined : this.#options.versions.get(toolHash);
	}

	#contentOf({ toolHash, files, tools }: ToolVersion): NonNullable<ToolSources["accepted"]> {
		return { toolHash, files: files.map(({ path, text }) => ({ path, text })), tools: tools.map((tool) => this.#tool(tool)) };
	}

	#integration({ integration, version, problems }: IntegrationNow): Integration {
		const { integrations } = this.#options;
		const acceptance = integrations.acceptanceOf(integration);
		const isAccepted = version !== undefined && integrations.isAccepted(version);
		return {
			integration,
			state: problems.length > 0 ? "failed" : isAccepted ? "active" : "unaccepted",
			problems: [...problems],
			tools: version === undefined ? [] : version.tools.map((tool) => this.#tool(tool)),
			...(version === undefined ? {} : { toolHash: version.toolHash }),
			...(acceptance === undefined ? {} : { accepted: { toolHash: acceptance.toolHash, at: acceptance.at, by: acceptance.by } }),
		};
	}

	#tool(tool: DeclaredTool): ListedTool {
		const toolId = ToolId.parse(tool.toolId);
		const rule = this.#options.rules.ruleOf(toolId);
		return {
			toolId,
			method: tool.method,
			risk: tool.risk,
			declaration: declarationOf(tool),
			idempotent: tool.idempotent,
			window: tool.window,
			secrets: [...tool.secrets],
			...(tool.policy === undefined ? {} : { policy: tool.policy }),
			...(tool.codeDecides === undefined ? {} : { codeDecides: tool.codeDecides }),
			...(rule === undefined ? {} : { rule }),
		};
	}
}

async function isFolder(path: string): Promise<boolean> {
	return lstat(path).then(
		(stat) => stat.isDirectory(),
		() => false,
	);
}

/** The fix that lists the names to choose from. */
async function exampleNames(folder: string): Promise<string> {
	const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
	const names = found.filter((entry) => entry.isDirectory() && IntegrationId.safeParse(entry.name).success).map(({ name }) => name);
	return names.length === 0 ? "This installation has no examples." : `Choose one of these: ${names.toSorted().join(", ")}.`;
}
