import { type ReactNode, useEffect, useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { type ReadText, readText } from "../connection/read-text.ts";
import { highlight } from "../rich-text/highlight.ts";
import type { CodeRun } from "../rich-text/highlight-code.ts";
import MarkdownText, { type ImageUrl } from "../rich-text/markdown.tsx";
import { useAnswer } from "../state/use-answer.ts";
import { parseCsv } from "../text/csv.ts";
import { formatBytes } from "../text/format.ts";
import { visibleText } from "../text/visible-text.ts";

const ROWS = 500;

interface TextPreviewProps {
	/** `unknown` is displayed as text if its bytes are text. */
	readonly kind: "markdown" | "csv" | "text" | "unknown";
	readonly url: string;
	readonly label: string;
	readonly relativePath: string;
	readonly size: number;
	/** Shown for bytes that are not text. */
	readonly notText: ReactNode;
	readonly imageUrl?: ImageUrl;
}

/** A file's text, displayed as Markdown, as a table or as plain text. */
export default function TextPreview({ kind, url, label, relativePath, size, notText, imageUrl }: TextPreviewProps) {
	const { answer: read, problem } = useAnswer<ReadText | "binary">(
		async (signal) => (await readText(url, size, signal)) ?? "binary",
		`${size} ${url}`,
	);
	if (problem !== undefined) return <p className="paper st st-bad wrap">{fill(words.files.failed, { message: problem })}</p>;
	if (read === undefined) return <p className="paper muted">{words.files.loading}</p>;
	if (read === "binary") return notText;
	const { text, begin } = read;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a long file must be scrollable by keyboard
		<section className={`paper ${kind === "markdown" ? "md" : ""}`} tabIndex={0} aria-label={label} dir="auto">
			{begin !== undefined && (
				<p className="muted small">{fill(words.files.begin, { shown: formatBytes(begin), bytes: formatBytes(size) })}</p>
			)}
			{kind === "markdown" && <MarkdownText text={text} {...(imageUrl && { imageUrl })} />}
			{kind === "csv" && <CsvTable text={text} />}
			{(kind === "text" || kind === "unknown") && <SourceText text={text} relativePath={relativePath} />}
		</section>
	);
}

/** Source code or other text. The text is plain at first, and highlighted once its language is known and the highlighting has finished. */
function SourceText({ text, relativePath }: { readonly text: string; readonly relativePath: string }) {
	const shown = visibleText(text.replaceAll("\r\n", "\n"), "keep").text;
	const [runs, setRuns] = useState<readonly CodeRun[]>();
	useEffect(() => {
		const leave = new AbortController();
		void highlight({ text: shown, relativePath }, leave.signal).then((found) => !leave.signal.aborted && setRuns(found));
		return () => leave.abort();
	}, [shown, relativePath]);
	return (
		<pre className="source" dir="ltr">
			{runs === undefined
				? shown
				: runs.map(([piece, kind], index) =>
						kind === undefined ? (
							piece
						) : (
							// biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no ids and keep their positions
							<span key={index} className={`code-${kind}`}>
								{piece}
							</span>
						),
					)}
		</pre>
	);
}

function CsvTable({ text }: { readonly text: string }) {
	const [head = [], ...rows] = parseCsv(text, ROWS + 1);
	return (
		<div className="md table-scroll">
			<table>
				<thead>
					<tr>
						{head.map((cell, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: column names may repeat
							<th key={index}>{visibleText(cell, "keep").text}</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row, line) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: rows of one file have no ids and keep their positions
						<tr key={line}>
							{row.map((cell, index) => (
								// biome-ignore lint/suspicious/noArrayIndexKey: as above
								<td key={index} className={/^-?[\d.,]+\s*%?$/.test(cell) ? "r" : ""}>
									{visibleText(cell, "keep").text}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
			{rows.length >= ROWS && <p className="muted small">{fill(words.files.rows, { count: ROWS })}</p>}
		</div>
	);
}
