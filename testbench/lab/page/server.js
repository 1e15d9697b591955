// The models behind the server of `pmusim lab`. An answer is the length of its JSON text, the text, and its tables.
export class Server {
  #page = crypto.getRandomValues(new Uint32Array(2)).join("-");

  async #post(path, body) {
    let response;
    try {
      response = await fetch(path, { method: "POST", body });
    } catch {
      throw new Error("pmusim lab has ended: start it again, and open the address that it prints");
    }
    if (!response.ok) throw new Error(await response.text());
    const bytes = await response.arrayBuffer(), size = new Uint32Array(bytes, 0, 1)[0];
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, size)));
    return { answer, rows: (place, words) => new Uint32Array(bytes, 4 + size + place, words) };
  }
  async #ask(request) {
    const { answer } = await this.call(request);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }
  /// As Module of wasm.js.
  call(request) { return this.#post(`call?page=${this.#page}`, JSON.stringify(request)); }
  async load(program, target) { await this.#ask({ op: "load", program, target }); }
  async open(name, bytes) { return (await this.#post(`open?page=${this.#page}&name=${encodeURIComponent(name)}`, bytes)).answer; }
  async listing(program, target) { return this.#ask({ op: "listing", program, target }); }
}
