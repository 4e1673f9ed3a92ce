/** Ignores a file that is dropped where no composer accepts it. By default, a browser would leave the page and open the file. */
export function keepStrayDrops(): void {
	for (const kind of ["dragover", "drop"] as const) {
		addEventListener(kind, (event) => {
			if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
			event.preventDefault();
			event.dataTransfer.dropEffect = "none";
		});
	}
}
