import { basename } from "node:path";

/**
 * How to type a command of ours so that it works as it is printed: by its name when this process was started as the
 * installed command, else through npm, in the checkout's folder.
 */
export function commandLine(words: string, startedAs: string | undefined = process.argv[1]): string {
	if (/^xworkmate(?:\.(?:cmd|exe|ps1))?$/.test(basename(startedAs ?? ""))) return `xworkmate ${words}`;
	const [verb, ...flags] = words.split(" ");
	if (verb === "start") return ["npm start", ...(flags.length === 0 ? [] : ["--", ...flags])].join(" ");
	return `npm run -s xworkmate -- ${words}`;
}
