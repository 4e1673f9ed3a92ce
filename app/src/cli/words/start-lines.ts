import type { Capabilities } from "@xworkmate/contracts";
import { providerFindings } from "../../doctor/finding.ts";
import { ASSISTANT } from "../../strings/codes.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";

export const LINK_LASTS = "the link works once, within 10 minutes";

interface StartAddresses {
	/** Creates a link that lets one browser in, once. */
	readonly link: string;
	readonly home: string;
}

/**
 * Prints the agents found, how to install the others, what to type next, and last, where the eye is, the link. It is the only address:
 * the others are no page to open, and `doctor` has them.
 */
export function startLines({ link, home }: StartAddresses, capabilities: Pick<Capabilities, "providers">): readonly string[] {
	const findings = providerFindings(capabilities);
	const ready = findings.filter((finding) => finding.state === "ok").map((finding) => `  ${printable(finding.message)}`);
	const missing = findings
		.filter((finding) => finding.state !== "ok")
		.flatMap((finding) => [`  ${printable(finding.message)}`, ...(finding.fix === undefined ? [] : [`    ${printable(finding.fix)}`])]);
	return [
		"XWorkmate is running.",
		`  files: ${home}/threads`,
		"",
		"Ready:",
		...ready,
		...(missing.length === 0 ? [] : ["", "Not available here:", ...missing]),
		"",
		"To type, in another terminal:",
		`  ${commandLine(firstRun(capabilities))}`,
		`Get a new link: ${commandLine("open")}`,
		"Stop with Ctrl-C.",
		"",
		`Open it in a browser (${LINK_LASTS}):`,
		`  ${link}`,
	];
}

/** A command to try: to the assistant in plain words if it is ready, otherwise a program, which needs nothing else. */
function firstRun({ providers }: Pick<Capabilities, "providers">): string {
	const isReady = providers.some(({ providerId, available }) => providerId === ASSISTANT && available);
	if (isReady) return `run --provider ${ASSISTANT} "What can you do for me?"`;
	return `run --provider script "await tools.files.write({path:'report.md', text:'# hello'}); return 'done'"`;
}
