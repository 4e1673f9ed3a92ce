import { type IntegrationId, ToolId } from "@xworkmate/contracts";
import type { ToolCatalogue, TypedTool } from "../../ports/tools/tool-hosts.ts";
import type { DeclaredTool } from "../host/host-messages.ts";
import { schemaType } from "../schema-type.ts";
import { hashOf, type ToolVersion } from "./tool-version.ts";

/** The longest declaration of one tool. */
const DECLARATION_CHARACTERS = 16_384;
/** The maximum length of all tools' declarations together. Tools beyond it are declared without their types. */
const DECLARATIONS_CHARACTERS = 512 * 1024;

export interface ActiveVersion {
	readonly version: ToolVersion;
	readonly isAccepted: boolean;
}

/** The tools of all active versions, and the declarations that programs are checked against. Pure. */
export function catalogueOf(active: ReadonlyMap<IntegrationId, ActiveVersion>): ToolCatalogue {
	const tools = new Map<string, TypedTool>();
	const groups: string[] = [];
	let left = DECLARATIONS_CHARACTERS;
	for (const [integration, { version, isAccepted }] of [...active].sort(([one], [other]) => (one < other ? -1 : 1))) {
		const members = version.tools.map((declared) => {
			tools.set(`${integration}.${declared.method}`, typedTool(declared, version, isAccepted));
			const full = declarationOf(declared);
			left -= full.length;
			return `\t\t${left < 0 ? untyped(declared) : full};\n`;
		});
		groups.push(`\treadonly ${integration}: {\n${members.join("")}\t};\n`);
	}
	const registryHash = hashOf([...tools].map(([name, { toolId, toolHash }]) => [name, toolId, toolHash]));
	return { registryHash, tools, declarations: groups.join("") };
}

/** The declaration of one tool for the type checker, on one line. */
export function declarationOf(tool: DeclaredTool): string {
	const full = `${tool.method}(input: ${schemaType(tool.input, "")}): Promise<ToolResult<${schemaType(tool.output, "readonly ")}>>`;
	return full.length <= DECLARATION_CHARACTERS ? full : untyped(tool);
}

function untyped({ method }: DeclaredTool): string {
	return `${method}(input: unknown): Promise<ToolResult<unknown>>`;
}

function typedTool(declared: DeclaredTool, { integration, toolHash }: ToolVersion, isAccepted: boolean): TypedTool {
	return {
		toolId: ToolId.parse(declared.toolId),
		integration,
		method: declared.method,
		risk: declared.risk,
		toolHash,
		isAccepted,
		...(declared.policy === undefined ? {} : { policy: declared.policy }),
		isIdempotent: declared.idempotent,
		isKeyRead: declared.keyRead,
		mayWindow: declared.window,
		timeoutMs: declared.timeoutMs,
		secrets: declared.secrets,
	};
}
