import type { Capabilities, ProviderCapability, ProviderId } from "@xworkmate/contracts";
import { providerFindings } from "../../doctor/finding.ts";
import { ASSISTANT } from "../../strings/codes.ts";
import { testedState } from "../../text/agents/tested-state.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import { howToStop, type RunningProcess } from "../../text/running-words.ts";

export const LINK_LASTS = "the link works once, within 10 minutes";

interface StartAddresses {
	/** The one-time link, which lets one browser in. */
	readonly link: string;
	readonly home: string;
	/** This process. */
	readonly running: RunningProcess;
}

/**
 * The files' folder, the agents that can be used, those that could be installed or can't be used now, what to type next, how to stop, and
 * the link last, where the user looks first. No other address is printed: other addresses do not open a page, and `doctor` lists them.
 * `installable`: the agents that XWorkmate itself can install.
 */
export function startLines(
	{ link, home, running }: StartAddresses,
	capabilities: Pick<Capabilities, "providers">,
	installable: readonly ProviderId[],
): readonly string[] {
	const isLacking = ({ unavailable }: ProviderCapability) => unavailable?.code === "PROVIDER_NOT_INSTALLED";
	const lacking = capabilities.providers.filter(isLacking);
	const others = capabilities.providers.filter((provider) => !isLacking(provider));
	// The first findings are those about the providers, in the same order.
	const findings = providerFindings({ providers: others }).map((finding, index) => ({ finding, isUsable: isUsable(others[index]) }));
	const found = findings.flatMap(({ finding, isUsable }) => (isUsable ? [`  ${printable(finding.message)}`] : []));
	const missing = findings
		.flatMap(({ finding, isUsable }) => (isUsable ? [] : [finding]))
		.flatMap((finding) => [`  ${printable(finding.message)}`, ...(finding.fix === undefined ? [] : [`    ${printable(finding.fix)}`])]);
	return [
		"XWorkmate is running.",
		`  files: ${home}/threads`,
		"",
		"Agents:",
		...found,
		...notInstalled(lacking, installable),
		...(missing.length === 0 ? [] : ["", "Not usable now:", ...missing]),
		"",
		"To try it out, run this in another terminal:",
		`  ${commandLine(firstRun(capabilities))}`,
		`Get a new link: ${commandLine("open")}`,
		running.runsAs === "terminal" ? "Stop with Ctrl+C." : howToStop(running),
		"",
		`Open it in a browser (${LINK_LASTS}):`,
		`  ${link}`,
	];
}

/**
 * An agent that was found but not tested counts as usable. An agent whose last test or run failed does not count, because that has to be
 * fixed first.
 */
function isUsable(provider: ProviderCapability | undefined): boolean {
	return provider?.available === true && testedState(provider) !== "failed";
}

/**
 * One line for all agents that are not installed, because a line for each would push the link off the screen. If XWorkmate can't install
 * any of them, the fix of each agent says how to install it.
 */
function notInstalled(lacking: readonly ProviderCapability[], installable: readonly ProviderId[]): readonly string[] {
	if (lacking.length === 0) return [];
	const names = lacking.map(({ label }) => printable(label)).join(", ");
	const first = lacking.find(({ providerId }) => installable.includes(providerId));
	const own = lacking.flatMap(({ label, unavailable }) => (unavailable?.fix === undefined ? [] : [`${label}: ${unavailable.fix}`]));
	const how = first && `Install one on the page, under Settings > Agents, or: ${commandLine(`agents install ${first.providerId}`)}`;
	return ["", `Not installed: ${names}`, ...(how === undefined ? own : [how]).map((line) => `  ${printable(line)}`)];
}

/** A command to try: a request in plain words if the assistant can be used, otherwise a program, which needs no other agent. */
function firstRun({ providers }: Pick<Capabilities, "providers">): string {
	const assistant = providers.find(({ providerId }) => providerId === ASSISTANT);
	if (isUsable(assistant)) return `run --provider ${ASSISTANT} "What can you do for me?"`;
	return `run --provider script "await tools.files.write({path:'report.md', text:'# hello'}); return 'done'"`;
}
