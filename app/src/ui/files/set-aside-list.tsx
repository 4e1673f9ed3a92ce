import { History } from "lucide-react";
import type { SetAsideFile } from "../../api/ui-api.ts";
import { fileRoute } from "../../api/ui-routes.ts";
import { fill, words } from "../../strings/interface.ts";
import { fileName } from "../../text/file-names.ts";
import { Icon } from "../components/icon.tsx";
import { formatBytes } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";

interface SetAsideListProps {
	readonly threadId: string;
	readonly runId: string;
	readonly files: readonly SetAsideFile[];
}

/** The versions in the folder that a run's files replaced, and where they are kept. Any person or program may have written them. */
export function SetAsideList({ threadId, runId, files }: SetAsideListProps) {
	if (files.length === 0) return null;
	return (
		<ul className="got" aria-label={words.files.setAside}>
			{files.map(({ relativePath, digits, keptAs, sizeBytes }) => (
				<li key={keptAs}>
					<Icon of={History} small />
					<span>
						{fill(words.files.setAsideAs, { name: fileName(relativePath) })} <code className="wrap">{visibleName(keptAs)}</code>
					</span>
					<span className="num">{formatBytes(sizeBytes)}</span>
					<a
						className="link"
						href={fileRoute(threadId, runId, relativePath, "inline", digits)}
						target="_blank"
						rel="noopener"
						aria-label={fill(words.files.openSetAside, { name: fileName(relativePath) })}
					>
						{words.files.open}
					</a>
				</li>
			))}
		</ul>
	);
}
