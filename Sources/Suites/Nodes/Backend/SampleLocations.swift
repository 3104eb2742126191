struct SampleLocation: Sendable {
  let code: String
  /// Names in the order of `Language.supported`, separated by bars. An empty name is missing.
  let country: String
  let region: String?
  let city: String?

  init(_ code: String, _ country: String, _ region: String?, _ city: String?) {
    self.code = code
    self.country = country
    self.region = region
    self.city = city
  }

  static let all = [
    SampleLocation(
      "US", "USA|United States|Estados Unidos|États Unis|アメリカ|EUA|США|美国",
      "Virginia|Virginia|Virginia|Virginie|バージニア州|Virgínia|Виргиния|弗吉尼亚州",
      "Ashburn|Ashburn||Ashburn|アッシュバーン||Ашберн|阿什本"),
    SampleLocation(
      "US", "USA|United States|Estados Unidos|États Unis|アメリカ|EUA|США|美国",
      "Oregon|Oregon|Oregón|Oregon|オレゴン州|Oregão|Орегон|俄勒冈州", "|Boardman||||||"),
    SampleLocation(
      "DE", "Deutschland|Germany|Alemania|Allemagne|ドイツ連邦共和国|Alemanha|Германия|德国",
      "Hessen|Hesse|Hesse|Hesse|||Гессен|",
      "Frankfurt am Main|Frankfurt am Main|Francfort|Francfort-sur-le-Main|フランクフルト・アム・マイン|Frankfurt am Main|Франкфурт|法兰克福"
    ),
    SampleLocation(
      "DE", "Deutschland|Germany|Alemania|Allemagne|ドイツ連邦共和国|Alemanha|Германия|德国",
      "Bayern|Bavaria|Baviera|Bavière||Baviera|Бавария|",
      "Nürnberg|Nuremberg|Núremberg|Nuremberg|ニュルンベルク|Nuremberga|Нюрнберг|纽伦堡"),
    SampleLocation(
      "FR", "Frankreich|France|Francia|France|フランス共和国|França|Франция|法国",
      "Île-de-France|Île-de-France|Isla de Francia|Île-de-France||||",
      "Paris|Paris|París|Paris|パリ|Paris|Париж|巴黎"),
    SampleLocation(
      "NL", "Niederlande|The Netherlands|Holanda|Pays-Bas|オランダ王国|Holanda|Нидерланды|荷兰", nil, nil),
    SampleLocation(
      "CA", "Kanada|Canada|Canadá|Canada|カナダ|Canadá|Канада|加拿大",
      "Ontario|Ontario|Ontario|Ontario|オンタリオ州|Ontário|Онтарио|安大略",
      "Toronto|Toronto|Toronto|Toronto|トロント|Toronto|Торонто|多伦多"),
    SampleLocation(
      "BR", "Brasilien|Brazil|Brasil|Brésil|ブラジル連邦共和国|Brasil|Бразилия|巴西",
      "São Paulo|São Paulo|São Paulo|São Paulo|サンパウロ州|São Paulo||", "||||サンパウロ|São Paulo||圣保罗"),
    SampleLocation(
      "JP", "Japan|Japan|Japón|Japon|日本|Japão|Япония|日本",
      "Tokio|Tokyo|Tokio|Tokyo|東京都|Tóquio|Токио|东京都", "Tokio|Tokyo|Tokio|Tokyo|東京|Tóquio|Токио|东京"),
    SampleLocation(
      "SG", "Singapur|Singapore|Singapur|Singapour|シンガポール共和国|Singapura|Сингапур|新加坡",
      nil, "Singapur|Singapore|Singapur|Singapour|シンガポール|Singapura|Сингапур|新加坡"),
    SampleLocation(
      "CH", "Schweiz|Switzerland|Suiza|Suisse|スイス連邦|Suíça|Швейцария|瑞士",
      "Zürich|Zurich||Zurich||||", "Zürich|Zurich|Zúrich|Zurich|チューリッヒ|Zurique|Цюрих|苏黎世"),
    SampleLocation(
      "SV", "El Salvador|El Salvador|El Salvador|Salvador|エルサルバドル|El Salvador|Сальвадор|萨尔瓦多", nil, nil),
    SampleLocation(
      "PT", "Portugal|Portugal|Portugal|Portugal|ポルトガル共和国|Portugal|Португалия|葡萄牙",
      "|Lisbon|Lisboa|||||", "Lissabon|Lisbon|Lisboa|Lisbonne|リスボン|Lisboa|Лиссабон|里斯本"),
    SampleLocation("RU", "||||||Россия|", nil, "||||||Москва|"),
  ]
}
