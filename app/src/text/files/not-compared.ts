import type { EditList } from "@xworkmate/contracts";
import { notComparedWords as words } from "../../strings/files/not-compared-words.ts";
import { fill } from "../../strings/interface.ts";

/** What the list of changes leaves out, in one sentence. `shown`: makes a path fit to be shown. */
export function notCompared({ repositories }: Pick<EditList, "repositories">, shown: (path: string) => string): string {
	if (repositories === undefined) return words.ignored;
	const { count, paths } = repositories;
	const more = count - paths.length;
	const named = `${paths.map(shown).join(", ")}${more > 0 ? fill(words.more, { count: more }) : ""}`;
	return fill(count === 1 ? words.repository : words.repositories, { paths: named });
}
