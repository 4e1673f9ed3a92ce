import type { ServiceProgram } from "./service-program.ts";

export const LAUNCH_LABEL = "xworkmate";

/** A property list for the user's launchd. Standard output is not kept, because it contains a link to the page. */
export function launchAgent({ command, environment }: ServiceProgram): string {
	const variables = Object.entries(environment).map(([name, value]) => `\t\t<key>${escaped(name)}</key>\n\t\t${text(value)}\n`);
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	${text(LAUNCH_LABEL)}
	<key>ProgramArguments</key>
	<array>
${command.map((word) => `\t\t${text(word)}\n`).join("")}	</array>
	<key>EnvironmentVariables</key>
	<dict>
${variables.join("")}	</dict>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>StandardOutPath</key>
	${text("/dev/null")}
</dict>
</plist>
`;
}

/** The value of a variable in the property list of a service; undefined if the list doesn't set it. */
export function agentVariable(list: string, name: string): string | undefined {
	const [, after] = list.split(`<key>${escaped(name)}</key>\n\t\t<string>`);
	const [written] = after?.split("</string>") ?? [];
	return written?.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const text = (value: string) => `<string>${escaped(value)}</string>`;

function escaped(value: string): string {
	return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
