import { basename } from "node:path";

/**
 * How to type one of XWorkmate's commands so that it works as printed: by its name if this process was started as the installed command,
 * otherwise through npm, in the checkout's folder.
 */
export function commandLine(words: string, startedAs: string | undefined = process.argv[1]): string {
	if (/^xworkmate(?:\.(?:cmd|exe|js|ps1))?$/.test(basename(startedAs ?? ""))) return `xworkmate ${words}`;
	const [verb, ...flags] = words.split(" ");
	if (verb === "start") return ["npm start", ...(flags.length === 0 ? [] : ["--", ...flags])].join(" ");
	return `npm run -s xworkmate -- ${words}`;
}
