import type { Capabilities } from "@xworkmate/contracts";
import { providerFindings } from "../../doctor/finding.ts";
import { ASSISTANT } from "../../strings/codes.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";

export const LINK_LASTS = "the link works once, within 10 minutes";

interface StartAddresses {
	readonly bridge: string;
	readonly app: string;
	/** Creates a link that lets one browser in, once. */
	readonly link: string;
	readonly home: string;
}

/** Prints the address, the agents found, how to install the others, and what to type next. */
export function startLines({ bridge, app, link, home }: StartAddresses, capabilities: Pick<Capabilities, "providers">): readonly string[] {
	const findings = providerFindings(capabilities);
	const ready = findings.filter((finding) => finding.state === "ok").map((finding) => `  ${printable(finding.message)}`);
	const missing = findings
		.filter((finding) => finding.state !== "ok")
		.flatMap((finding) => [`  ${printable(finding.message)}`, ...(finding.fix === undefined ? [] : [`    ${printable(finding.fix)}`])]);
	return [
		"XWorkmate is running.",
		`  bridge  ${bridge}`,
		`  app     ${app}`,
		`  files   ${home}/threads`,
		"",
		`Open it in a browser (${LINK_LASTS}):`,
		`  ${link}`,
		`Get a new link: ${commandLine("open")}`,
		"",
		"Ready:",
		...ready,
		...(missing.length === 0 ? [] : ["", "Not available here:", ...missing]),
		"",
		"Or, in another terminal:",
		`  ${commandLine(firstRun(capabilities))}`,
		"Stop with Ctrl-C.",
	];
}

/** A command to try: to the assistant in plain words if it is ready, otherwise a program, which needs nothing else. */
function firstRun({ providers }: Pick<Capabilities, "providers">): string {
	const isReady = providers.some(({ providerId, available }) => providerId === ASSISTANT && available);
	if (isReady) return `run --provider ${ASSISTANT} "What can you do for me?"`;
	return `run --provider script "await tools.files.write({path:'report.md', text:'# hello'}); return 'done'"`;
}
