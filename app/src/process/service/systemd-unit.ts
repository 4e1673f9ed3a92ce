import type { ServiceProgram } from "./service-program.ts";

/** A unit for the user's own systemd. Standard output is not kept, because it contains a link to the page; errors go to the journal. */
export function systemdUnit({ command, environment }: ServiceProgram): string {
	const variables = Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`);
	return `[Unit]
Description=XWorkmate

[Service]
ExecStart=${command.map((word) => quoted(word).replaceAll("$", "$$$$")).join(" ")}
${variables.join("")}StandardOutput=null
Restart=on-failure
RestartSec=2
TimeoutStopSec=60
KillMode=mixed

[Install]
WantedBy=default.target
`;
}

/** The value of a variable in the unit of a service; undefined if the unit doesn't set it. */
export function unitVariable(unit: string, name: string): string | undefined {
	const begin = `Environment="${name}=`;
	const line = unit.split("\n").find((one) => one.startsWith(begin) && one.endsWith('"'));
	return line
		?.slice(begin.length, -1)
		.replaceAll("%%", "%")
		.replace(/\\(["\\])/g, "$1");
}

/** Quotes a word so that systemd reads it unchanged (systemd.syntax(7), systemd.service(5)): `%` would start a specifier. */
function quoted(word: string): string {
	return `"${word.replace(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`;
}
