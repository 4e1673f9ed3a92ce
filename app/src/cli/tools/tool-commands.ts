import { ContractError, type Integration, type IntegrationId, type ListedTool, type ToolId, type ToolProblem } from "@xworkmate/contracts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine, printable } from "../../text/printable.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";

export type ToolDecision = "allow" | "ask" | "deny" | "inherit";

/** How many digits of a hash are shown: enough to compare by eye. */
const SHOWN_DIGITS = 12;
const stateWords = { active: "active", unaccepted: "not accepted", failed: "FAILED" } as const;

export async function listTools(output: Output): Promise<void> {
	const result = await output.api.listTools();
	const none = [`There are no tools. Write one: ${commandLine("tools new notes")}`];
	print(output, result, result.integrations.length === 0 ? none : result.integrations.flatMap(integrationLines));
}

export async function newTools(output: Output, integration: IntegrationId): Promise<ExitCode> {
	return placed(output, await output.api.newTools({ integration }));
}

export async function addTool(output: Output, example: string): Promise<ExitCode> {
	return placed(output, await output.api.addTools({ example }));
}

export async function reloadTools(output: Output, integration: IntegrationId | undefined): Promise<ExitCode> {
	const result = await output.api.reloadTools(integration === undefined ? {} : { integration });
	print(output, result, result.integrations.flatMap(integrationLines));
	return result.integrations.some(({ state }) => state === "failed") ? exitCode.beforeRun : exitCode.success;
}

/**
 * Accepts the version that is loaded.
 * @param hash the version's hash or its beginning: no other version is accepted
 */
export async function acceptTools(output: Output, integration: IntegrationId, hash = ""): Promise<ExitCode> {
	const { integrations } = await output.api.listTools();
	const found = integrations.find((each) => each.integration === integration);
	if (found === undefined) throw new ContractError("TOOL_NOT_FOUND", { detail: `There is no integration ${integration}.` });
	const { toolHash } = found;
	if (toolHash === undefined)
		throw new ContractError("TOOL_NOT_FOUND", {
			detail: `No version of ${integration} has ever loaded.`,
			fix: `See its problems: ${commandLine("tools list")}`,
		});
	if (!toolHash.startsWith(hash)) throw new ContractError("TOOL_CHANGED");
	const accepted = await output.api.acceptTools({ integration, toolHash });
	print(output, accepted, [`Accepted version ${toolHash.slice(0, SHOWN_DIGITS)} of ${integration}.`, ...integrationLines(accepted)]);
	return exitCode.success;
}

export async function setToolRule(output: Output, toolId: ToolId, decision: ToolDecision): Promise<void> {
	const tool = await output.api.setToolRule({ toolId, decision });
	print(output, tool, [tool.rule === undefined ? `You have no rule for ${toolId}.` : `Your rule for ${toolId}: ${tool.rule}.`]);
}

function placed(output: Output, integration: Integration): ExitCode {
	print(output, integration, integrationLines(integration));
	return integration.state === "active" ? exitCode.success : exitCode.beforeRun;
}

function integrationLines({ integration, state, toolHash, problems, tools }: Integration): readonly string[] {
	const version = toolHash === undefined ? "" : `  version ${toolHash.slice(0, SHOWN_DIGITS)}`;
	const still = state === "failed" && tools.length > 0 ? ["  The last version that loaded is still in use."] : [];
	const accept =
		state === "unaccepted"
			? [`  Every call that no rule denies asks for approval. Accept the code: ${commandLine(`tools accept ${integration}`)}`]
			: [];
	return [
		`${integration}  ${stateWords[state]}${version}`,
		...problems.map((problem) => `  ${problemLine(problem)}`),
		...still,
		...accept,
		...tools.map(toolLine),
	];
}

/** `file:line:column: message (CODE)`, as compilers and editors write it. */
export function problemLine({ code, message, file, line, column }: Omit<ToolProblem, "code"> & { readonly code: string }): string {
	const place = [file, line, column].filter((part) => part !== undefined).join(":");
	return `${place === "" ? "" : `${oneLine(place, 300)}: `}${oneLine(message, 1_000)} (${code})`;
}

function toolLine({ toolId, method, risk, rule, policy, codeDecides, secrets }: ListedTool): string {
	const own = codeDecides === true ? "its code decides for each call" : policy;
	const decided = rule === undefined ? (own === undefined ? "" : `  tool's rule: ${own}`) : `  your rule: ${rule}`;
	const gets = secrets.length === 0 ? "" : `  secrets: ${oneLine(secrets.join(", "), 300)}`;
	return printable(`  ${toolId}  ${risk}${decided}${gets}  (${method})`);
}
