/** One line of a unified diff. `before` and `after` are its line numbers in the two versions, counted from 1. */
export interface PatchLine {
	readonly kind: "same" | "added" | "removed" | "place";
	readonly text: string;
	readonly before?: number;
	readonly after?: number;
}

const PLACE = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

/** The lines of a unified diff that has no header. */
export function patchLines(text: string): readonly PatchLine[] {
	let [before, after] = [0, 0];
	return text.split("\n").flatMap((line): readonly PatchLine[] => {
		const place = PLACE.exec(line);
		if (place !== null) {
			[before, after] = [Number(place[1]) - 1, Number(place[2]) - 1];
			return [{ kind: "place", text: `@@ ${place[1]}, ${place[2]} @@${place[3]}` }];
		}
		const rest = line.slice(1);
		switch (line[0]) {
			case "+":
				after += 1;
				return [{ kind: "added", text: rest, after }];
			case "-":
				before += 1;
				return [{ kind: "removed", text: rest, before }];
			case " ":
				before += 1;
				after += 1;
				return [{ kind: "same", text: rest, before, after }];
			// "\ No newline at end of file", or the end of the text.
			default:
				return line === "" ? [] : [{ kind: "place", text: rest.trim() }];
		}
	});
}
