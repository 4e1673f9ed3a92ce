/** Names that Windows reserves for devices, with any extension and in any case. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i;
const WINDOWS_FORBIDS = /[<>:"|?*\\\p{Cc}]/u;

/**
 * Why a system cannot store a file with this path; undefined if it can. Only Windows is checked: there, such a path is invalid, or refers
 * to a device, to a stream of another file, or to a file without the last dot or space.
 */
export function nameProblem(relativePath: string, platform: NodeJS.Platform): string | undefined {
	if (platform !== "win32") return undefined;
	const problem = relativePath
		.split("/")
		.map(windowsProblem)
		.find((found) => found !== undefined);
	return problem === undefined ? undefined : `Windows can't store a file with this name: ${problem}`;
}

function windowsProblem(name: string): string | undefined {
	const forbidden = WINDOWS_FORBIDS.exec(name)?.[0];
	if (forbidden !== undefined) return `it contains ${/\p{Cc}/u.test(forbidden) ? "a control character" : `the character ${forbidden}`}`;
	if (name.endsWith(".") || name.endsWith(" ")) return "a part of it ends in a dot or a space";
	const stem = (name.split(".", 1)[0] ?? "").trimEnd();
	return DEVICE.test(stem) ? `${stem} is the name of a device` : undefined;
}
