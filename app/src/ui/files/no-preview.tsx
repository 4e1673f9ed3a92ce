import { Download, FileX2 } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";

export function NoPreview({ why, downloadUrl }: { readonly why: string; readonly downloadUrl?: string }) {
	return (
		<div className="paper no-preview">
			<Icon of={FileX2} />
			<p className="muted">{why}</p>
			{downloadUrl !== undefined && (
				<a className="btn" href={downloadUrl} download>
					<Icon of={Download} />
					{words.files.downloadIt}
				</a>
			)}
		</div>
	);
}
