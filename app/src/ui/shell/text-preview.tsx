import { useEffect, useState } from "react";
import { refusalOf, sayError } from "../client/app-refusal.ts";
import { reach } from "../client/call-app.ts";
import { parseCsv } from "../model/csv.ts";
import { visibleText } from "../model/visible-text.ts";
import MarkdownText from "../parts/markdown.tsx";
import { fill, words } from "../words/interface.ts";

const ROWS = 500;

interface TextPreviewProps {
	readonly kind: "markdown" | "csv" | "text";
	readonly url: string;
	readonly label: string;
}

/** A file's text, read as markdown, as a table or as it is. */
export default function TextPreview({ kind, url, label }: TextPreviewProps) {
	const [text, setText] = useState<string>();
	const [problem, setProblem] = useState<string>();
	useEffect(() => {
		const leave = new AbortController();
		readText(url, leave.signal).then(setText, (error: unknown) => !leave.signal.aborted && setProblem(sayError(error)));
		return () => leave.abort();
	}, [url]);
	if (problem !== undefined) return <p className="paper st st-bad wrap">{fill(words.files.failed, { message: problem })}</p>;
	if (text === undefined) return <p className="paper muted">{words.files.loading}</p>;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a long file must be scrollable by keyboard
		<section className={`paper ${kind === "markdown" ? "md" : ""}`} tabIndex={0} aria-label={label} dir="auto">
			{kind === "markdown" ? <MarkdownText text={text} /> : kind === "csv" ? <CsvTable text={text} /> : <SourceText text={text} />}
		</section>
	);
}

async function readText(url: string, signal: AbortSignal): Promise<string> {
	const response = await reach(url, { signal });
	if (!response.ok) throw await refusalOf(response);
	return response.text();
}

function SourceText({ text }: { readonly text: string }) {
	return <pre className="source">{visibleText(text.replaceAll("\r\n", "\n"), "keep").text}</pre>;
}

function CsvTable({ text }: { readonly text: string }) {
	const [head = [], ...rows] = parseCsv(text, ROWS + 1);
	return (
		<div className="md table-scroll">
			<table>
				<thead>
					<tr>
						{head.map((cell, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: columns have no names that are sure to differ
							<th key={index}>{visibleText(cell, "keep").text}</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row, line) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file that was read once stay where they are
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
