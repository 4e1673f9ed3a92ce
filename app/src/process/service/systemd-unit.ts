import type { ServiceProgram } from "./service-program.ts";

/** A unit for the user's own systemd. Its standard output, which has a link to the page, is not kept; what goes wrong is in the journal. */
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

/** A word as systemd reads it back (systemd.syntax(7), systemd.service(5)): `%` begins a specifier. */
function quoted(word: string): string {
	return `"${word.replace(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`;
}
