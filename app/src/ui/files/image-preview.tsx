import { useState } from "react";
import { fill, words } from "../../strings/interface.ts";

interface ImagePreviewProps {
	readonly url: string;
	readonly name: string;
	/** Shows the image at the window's size; absent if it is already shown at that size. */
	enlarge?(): void;
	onError(): void;
}

/** An image at the panel's width. A click enlarges it to the window's size; another click shows it at its own size. */
export function ImagePreview({ url, name, enlarge, onError }: ImagePreviewProps) {
	const [isWhole, setWhole] = useState(true);
	if (enlarge === undefined) {
		return (
			<button
				type="button"
				className={isWhole ? "image whole" : "image"}
				aria-pressed={!isWhole}
				aria-label={words.files.ownSize}
				onClick={() => setWhole(!isWhole)}
			>
				<img src={url} alt={name} onError={onError} />
			</button>
		);
	}
	return (
		<div className="checker">
			<figure>
				<button type="button" className="zoom" aria-label={fill(words.files.zoom, { name })} onClick={enlarge}>
					<img className="preview-image" src={url} alt={name} onError={onError} />
				</button>
			</figure>
		</div>
	);
}
