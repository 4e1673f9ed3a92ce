/**
 * Resolves a path in a report, relative to the report; undefined if it is empty, absolute, has a scheme, can't be decoded, contains a
 * slash, a backslash or NUL in encoded form, or leads out of the run's files.
 */
export function pathFromReport(reportPath: string, source: string): string | undefined {
	const [address = ""] = source.split(/[?#]/, 1);
	if (address === "" || /^[a-z][a-z\d+.-]*:/i.test(address) || /^[/\\]/.test(address)) return undefined;
	const segments = reportPath.split("/").slice(0, -1);
	for (const encoded of address.split("/")) {
		const segment = decoded(encoded);
		if (segment === undefined || /[/\\\0]/.test(segment)) return undefined;
		if (segment === "..") {
			if (segments.pop() === undefined) return undefined;
		} else if (segment !== "." && segment !== "") segments.push(segment);
	}
	return segments.join("/");
}

function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
