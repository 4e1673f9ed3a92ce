import type { ToolSources } from "@xworkmate/contracts";
import { reviewWords } from "../../strings/calls/tools-page-words.ts";
import { countChanges, diffLines } from "../rich-text/diff-lines.ts";
import { DiffView } from "../rich-text/diff-view.tsx";
import { visibleName } from "../text/visible-text.ts";

type Files = ToolSources["files"];

export interface ChangedFile {
	readonly path: string;
	readonly before?: string;
	readonly after?: string;
}

/** The files that differ between two versions, ordered by path. Without an earlier version, all files. */
export function changedFiles(before: Files | undefined, after: Files): readonly ChangedFile[] {
	const old = new Map((before ?? []).map(({ path, text }) => [path, text]));
	const fresh = new Map(after.map(({ path, text }) => [path, text]));
	return [...new Set([...old.keys(), ...fresh.keys()])].sort().flatMap((path) => {
		const [was, is] = [old.get(path), fresh.get(path)];
		return was === is ? [] : [{ path, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
	});
}

/** What changed in the code, line by line. Long lines wrap, so that nothing that the user accepts is hidden beyond the edge. */
export function CodeChanges({ files }: { readonly files: readonly ChangedFile[] }) {
	return files.map(({ path, before, after }) => {
		const { added, removed } = countChanges(diffLines(before ?? "", after ?? ""));
		return (
			<div className="diffbox" key={path}>
				<header>
					<code className="wrap">{visibleName(path)}</code>
					{before === undefined && <span className="muted small">{reviewWords.fileNew}</span>}
					{after === undefined && <span className="muted small">{reviewWords.fileGone}</span>}
					{added > 0 && <span className="plus small">+{added}</span>}
					{removed > 0 && <span className="minus small">−{removed}</span>}
				</header>
				<DiffView path={path} oldText={before ?? ""} newText={after ?? ""} whole />
			</div>
		);
	});
}
