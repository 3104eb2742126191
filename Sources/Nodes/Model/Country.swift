/// A country, by its code of ISO 3166 and its names in the languages of the service.
struct Country: Equatable, Sendable {
  /// Two letters in upper case.
  let code: String
  /// In the order of `Language.supported`.
  let names: [String]

  /// The country with this code or this name in one of the languages, ignoring case. "and" and "&" are equal, and a
  /// leading "the" is ignored. Nil for other texts.
  static func named(_ text: String) -> Country? {
    let wanted = folded(text)
    if let code = abbreviations[wanted] { return all.first { $0.code == code } }
    return all.first { $0.code.lowercased() == wanted }
      ?? all.first { country in country.names.contains { folded($0) == wanted } }
  }

  var englishName: String { zip(Language.supported, names).first { $0.0 == "en" }?.1 ?? "" }

  /// All names and codes, for suggestions.
  static var allNames: [String] { all.flatMap { [$0.code] + $0.names } }

  private static func folded(_ text: String) -> String {
    let words = text.lowercased().split(separator: " ").map { $0 == "&" ? "and" : $0 }
    return (words.first == "the" ? words.dropFirst() : words[...]).joined(separator: " ")
  }

  private static let abbreviations = ["usa": "US", "uk": "GB"]

  static let all: [Country] = table.split(separator: "\n").map { line in
    let parts = line.split(separator: "|").map(String.init)
    return Country(code: parts[0], names: Array(parts.dropFirst()))
  }

  // swift-format-ignore
  /// The codes in use, and the names of Unicode CLDR.
  private static let table = """
    AD|Andorra|Andorra|Andorra|Andorre|アンドラ|Andorra|Андорра|安道尔
    AE|Vereinigte Arabische Emirate|United Arab Emirates|Emiratos Árabes Unidos|Émirats arabes unis|アラブ首長国連邦|Emirados Árabes Unidos|ОАЭ|阿拉伯联合酋长国
    AF|Afghanistan|Afghanistan|Afganistán|Afghanistan|アフガニスタン|Afeganistão|Афганистан|阿富汗
    AG|Antigua und Barbuda|Antigua & Barbuda|Antigua y Barbuda|Antigua-et-Barbuda|アンティグア・バーブーダ|Antígua e Barbuda|Антигуа и Барбуда|安提瓜和巴布达
    AI|Anguilla|Anguilla|Anguila|Anguilla|アンギラ|Anguila|Ангилья|安圭拉
    AL|Albanien|Albania|Albania|Albanie|アルバニア|Albânia|Албания|阿尔巴尼亚
    AM|Armenien|Armenia|Armenia|Arménie|アルメニア|Armênia|Армения|亚美尼亚
    AO|Angola|Angola|Angola|Angola|アンゴラ|Angola|Ангола|安哥拉
    AQ|Antarktis|Antarctica|Antártida|Antarctique|南極|Antártida|Антарктида|南极洲
    AR|Argentinien|Argentina|Argentina|Argentine|アルゼンチン|Argentina|Аргентина|阿根廷
    AS|Amerikanisch-Samoa|American Samoa|Samoa Americana|Samoa américaines|米領サモア|Samoa Americana|Американское Самоа|美属萨摩亚
    AT|Österreich|Austria|Austria|Autriche|オーストリア|Áustria|Австрия|奥地利
    AU|Australien|Australia|Australia|Australie|オーストラリア|Austrália|Австралия|澳大利亚
    AW|Aruba|Aruba|Aruba|Aruba|アルバ|Aruba|Аруба|阿鲁巴
    AX|Ålandinseln|Åland Islands|Islas Aland|Îles Åland|オーランド諸島|Ilhas Aland|Аландские о-ва|奥兰群岛
    AZ|Aserbaidschan|Azerbaijan|Azerbaiyán|Azerbaïdjan|アゼルバイジャン|Azerbaijão|Азербайджан|阿塞拜疆
    BA|Bosnien und Herzegowina|Bosnia & Herzegovina|Bosnia y Herzegovina|Bosnie-Herzégovine|ボスニア・ヘルツェゴビナ|Bósnia e Herzegovina|Босния и Герцеговина|波斯尼亚和黑塞哥维那
    BB|Barbados|Barbados|Barbados|Barbade|バルバドス|Barbados|Барбадос|巴巴多斯
    BD|Bangladesch|Bangladesh|Bangladés|Bangladesh|バングラデシュ|Bangladesh|Бангладеш|孟加拉国
    BE|Belgien|Belgium|Bélgica|Belgique|ベルギー|Bélgica|Бельгия|比利时
    BF|Burkina Faso|Burkina Faso|Burkina Faso|Burkina Faso|ブルキナファソ|Burquina Faso|Буркина-Фасо|布基纳法索
    BG|Bulgarien|Bulgaria|Bulgaria|Bulgarie|ブルガリア|Bulgária|Болгария|保加利亚
    BH|Bahrain|Bahrain|Baréin|Bahreïn|バーレーン|Barein|Бахрейн|巴林
    BI|Burundi|Burundi|Burundi|Burundi|ブルンジ|Burundi|Бурунди|布隆迪
    BJ|Benin|Benin|Benín|Bénin|ベナン|Benin|Бенин|贝宁
    BL|St. Barthélemy|St. Barthélemy|San Bartolomé|Saint-Barthélemy|サン・バルテルミー|São Bartolomeu|Сен-Бартелеми|圣巴泰勒米
    BM|Bermuda|Bermuda|Bermudas|Bermudes|バミューダ|Bermudas|Бермудские о-ва|百慕大
    BN|Brunei Darussalam|Brunei|Brunéi|Brunei|ブルネイ|Brunei|Бруней|文莱
    BO|Bolivien|Bolivia|Bolivia|Bolivie|ボリビア|Bolívia|Боливия|玻利维亚
    BQ|Karibische Niederlande|Caribbean Netherlands|Caribe neerlandés|Pays-Bas caribéens|オランダ領カリブ|Países Baixos Caribenhos|Бонэйр, Синт-Эстатиус и Саба|荷属加勒比区
    BR|Brasilien|Brazil|Brasil|Brésil|ブラジル|Brasil|Бразилия|巴西
    BS|Bahamas|Bahamas|Bahamas|Bahamas|バハマ|Bahamas|Багамы|巴哈马
    BT|Bhutan|Bhutan|Bután|Bhoutan|ブータン|Butão|Бутан|不丹
    BV|Bouvetinsel|Bouvet Island|Isla Bouvet|Île Bouvet|ブーベ島|Ilha Bouvet|о-в Буве|布韦岛
    BW|Botsuana|Botswana|Botsuana|Botswana|ボツワナ|Botsuana|Ботсвана|博茨瓦纳
    BY|Belarus|Belarus|Bielorrusia|Biélorussie|ベラルーシ|Bielorrússia|Беларусь|白俄罗斯
    BZ|Belize|Belize|Belice|Belize|ベリーズ|Belize|Белиз|伯利兹
    CA|Kanada|Canada|Canadá|Canada|カナダ|Canadá|Канада|加拿大
    CC|Kokosinseln|Cocos (Keeling) Islands|Islas Cocos|Îles Cocos|ココス(キーリング)諸島|Ilhas Cocos (Keeling)|Кокосовые о-ва|科科斯（基林）群岛
    CD|Kongo-Kinshasa|Congo - Kinshasa|República Democrática del Congo|Congo-Kinshasa|コンゴ民主共和国(キンシャサ)|Congo - Kinshasa|Конго - Киншаса|刚果（金）
    CF|Zentralafrikanische Republik|Central African Republic|República Centroafricana|République centrafricaine|中央アフリカ共和国|República Centro-Africana|Центрально-Африканская Республика|中非共和国
    CG|Kongo-Brazzaville|Congo - Brazzaville|Congo|Congo-Brazzaville|コンゴ共和国(ブラザビル)|República do Congo|Конго - Браззавиль|刚果（布）
    CH|Schweiz|Switzerland|Suiza|Suisse|スイス|Suíça|Швейцария|瑞士
    CI|Côte d'Ivoire|Côte d'Ivoire|Côte d'Ivoire|Côte d'Ivoire|コートジボワール|Costa do Marfim|Кот-д'Ивуар|科特迪瓦
    CK|Cookinseln|Cook Islands|Islas Cook|Îles Cook|クック諸島|Ilhas Cook|о-ва Кука|库克群岛
    CL|Chile|Chile|Chile|Chili|チリ|Chile|Чили|智利
    CM|Kamerun|Cameroon|Camerún|Cameroun|カメルーン|Camarões|Камерун|喀麦隆
    CN|China|China|China|Chine|中国|China|Китай|中国
    CO|Kolumbien|Colombia|Colombia|Colombie|コロンビア|Colômbia|Колумбия|哥伦比亚
    CR|Costa Rica|Costa Rica|Costa Rica|Costa Rica|コスタリカ|Costa Rica|Коста-Рика|哥斯达黎加
    CU|Kuba|Cuba|Cuba|Cuba|キューバ|Cuba|Куба|古巴
    CV|Cabo Verde|Cape Verde|Cabo Verde|Cap-Vert|カーボベルデ|Cabo Verde|Кабо-Верде|佛得角
    CW|Curaçao|Curaçao|Curazao|Curaçao|キュラソー|Curaçao|Кюрасао|库拉索
    CX|Weihnachtsinsel|Christmas Island|Isla de Navidad|Île Christmas|クリスマス島|Ilha Christmas|о-в Рождества|圣诞岛
    CY|Zypern|Cyprus|Chipre|Chypre|キプロス|Chipre|Кипр|塞浦路斯
    CZ|Tschechien|Czechia|Chequia|Tchéquie|チェコ|Tchéquia|Чехия|捷克
    DE|Deutschland|Germany|Alemania|Allemagne|ドイツ|Alemanha|Германия|德国
    DJ|Dschibuti|Djibouti|Yibuti|Djibouti|ジブチ|Djibuti|Джибути|吉布提
    DK|Dänemark|Denmark|Dinamarca|Danemark|デンマーク|Dinamarca|Дания|丹麦
    DM|Dominica|Dominica|Dominica|Dominique|ドミニカ国|Dominica|Доминика|多米尼克
    DO|Dominikanische Republik|Dominican Republic|República Dominicana|République dominicaine|ドミニカ共和国|República Dominicana|Доминиканская Республика|多米尼加共和国
    DZ|Algerien|Algeria|Argelia|Algérie|アルジェリア|Argélia|Алжир|阿尔及利亚
    EC|Ecuador|Ecuador|Ecuador|Équateur|エクアドル|Equador|Эквадор|厄瓜多尔
    EE|Estland|Estonia|Estonia|Estonie|エストニア|Estônia|Эстония|爱沙尼亚
    EG|Ägypten|Egypt|Egipto|Égypte|エジプト|Egito|Египет|埃及
    EH|Westsahara|Western Sahara|Sáhara Occidental|Sahara occidental|西サハラ|Saara Ocidental|Западная Сахара|西撒哈拉
    ER|Eritrea|Eritrea|Eritrea|Érythrée|エリトリア|Eritreia|Эритрея|厄立特里亚
    ES|Spanien|Spain|España|Espagne|スペイン|Espanha|Испания|西班牙
    ET|Äthiopien|Ethiopia|Etiopía|Éthiopie|エチオピア|Etiópia|Эфиопия|埃塞俄比亚
    FI|Finnland|Finland|Finlandia|Finlande|フィンランド|Finlândia|Финляндия|芬兰
    FJ|Fidschi|Fiji|Fiyi|Fidji|フィジー|Fiji|Фиджи|斐济
    FK|Falklandinseln|Falkland Islands|Islas Malvinas|Îles Malouines|フォークランド諸島|Ilhas Malvinas|Фолклендские о-ва|福克兰群岛
    FM|Mikronesien|Micronesia|Micronesia|Micronésie|ミクロネシア連邦|Micronésia|Федеративные Штаты Микронезии|密克罗尼西亚
    FO|Färöer|Faroe Islands|Islas Feroe|Îles Féroé|フェロー諸島|Ilhas Faroé|Фарерские о-ва|法罗群岛
    FR|Frankreich|France|Francia|France|フランス|França|Франция|法国
    GA|Gabun|Gabon|Gabón|Gabon|ガボン|Gabão|Габон|加蓬
    GB|Vereinigtes Königreich|United Kingdom|Reino Unido|Royaume-Uni|イギリス|Reino Unido|Великобритания|英国
    GD|Grenada|Grenada|Granada|Grenade|グレナダ|Granada|Гренада|格林纳达
    GE|Georgien|Georgia|Georgia|Géorgie|ジョージア|Geórgia|Грузия|格鲁吉亚
    GF|Französisch-Guayana|French Guiana|Guayana Francesa|Guyane française|仏領ギアナ|Guiana Francesa|Французская Гвиана|法属圭亚那
    GG|Guernsey|Guernsey|Guernesey|Guernesey|ガーンジー|Guernsey|Гернси|根西岛
    GH|Ghana|Ghana|Ghana|Ghana|ガーナ|Gana|Гана|加纳
    GI|Gibraltar|Gibraltar|Gibraltar|Gibraltar|ジブラルタル|Gibraltar|Гибралтар|直布罗陀
    GL|Grönland|Greenland|Groenlandia|Groenland|グリーンランド|Groenlândia|Гренландия|格陵兰
    GM|Gambia|Gambia|Gambia|Gambie|ガンビア|Gâmbia|Гамбия|冈比亚
    GN|Guinea|Guinea|Guinea|Guinée|ギニア|Guiné|Гвинея|几内亚
    GP|Guadeloupe|Guadeloupe|Guadalupe|Guadeloupe|グアドループ|Guadalupe|Гваделупа|瓜德罗普
    GQ|Äquatorialguinea|Equatorial Guinea|Guinea Ecuatorial|Guinée équatoriale|赤道ギニア|Guiné Equatorial|Экваториальная Гвинея|赤道几内亚
    GR|Griechenland|Greece|Grecia|Grèce|ギリシャ|Grécia|Греция|希腊
    GS|Südgeorgien und die Südlichen Sandwichinseln|South Georgia & South Sandwich Islands|Islas Georgia del Sur y Sandwich del Sur|Géorgie du Sud-et-les Îles Sandwich du Sud|サウスジョージア・サウスサンドウィッチ諸島|Ilhas Geórgia do Sul e Sandwich do Sul|Южная Георгия и Южные Сандвичевы о-ва|南乔治亚和南桑威奇群岛
    GT|Guatemala|Guatemala|Guatemala|Guatemala|グアテマラ|Guatemala|Гватемала|危地马拉
    GU|Guam|Guam|Guam|Guam|グアム|Guam|Гуам|关岛
    GW|Guinea-Bissau|Guinea-Bissau|Guinea-Bisáu|Guinée-Bissau|ギニアビサウ|Guiné-Bissau|Гвинея-Бисау|几内亚比绍
    GY|Guyana|Guyana|Guyana|Guyana|ガイアナ|Guiana|Гайана|圭亚那
    HK|Sonderverwaltungsregion Hongkong|Hong Kong SAR China|RAE de Hong Kong (China)|R.A.S. chinoise de Hong Kong|中華人民共和国香港特別行政区|Hong Kong, RAE da China|Гонконг (САР)|中国香港特别行政区
    HM|Heard und McDonaldinseln|Heard & McDonald Islands|Islas Heard y McDonald|Îles Heard-et-MacDonald|ハード島・マクドナルド諸島|Ilhas Heard e McDonald|о-ва Херд и Макдональд|赫德岛和麦克唐纳群岛
    HN|Honduras|Honduras|Honduras|Honduras|ホンジュラス|Honduras|Гондурас|洪都拉斯
    HR|Kroatien|Croatia|Croacia|Croatie|クロアチア|Croácia|Хорватия|克罗地亚
    HT|Haiti|Haiti|Haití|Haïti|ハイチ|Haiti|Гаити|海地
    HU|Ungarn|Hungary|Hungría|Hongrie|ハンガリー|Hungria|Венгрия|匈牙利
    ID|Indonesien|Indonesia|Indonesia|Indonésie|インドネシア|Indonésia|Индонезия|印度尼西亚
    IE|Irland|Ireland|Irlanda|Irlande|アイルランド|Irlanda|Ирландия|爱尔兰
    IL|Israel|Israel|Israel|Israël|イスラエル|Israel|Израиль|以色列
    IM|Isle of Man|Isle of Man|Isla de Man|Île de Man|マン島|Ilha de Man|о-в Мэн|马恩岛
    IN|Indien|India|India|Inde|インド|Índia|Индия|印度
    IO|Britisches Territorium im Indischen Ozean|British Indian Ocean Territory|Territorio Británico del Océano Índico|Territoire britannique de l'océan Indien|英領インド洋地域|Território Britânico do Oceano Índico|Британская территория в Индийском океане|英属印度洋领地
    IQ|Irak|Iraq|Irak|Irak|イラク|Iraque|Ирак|伊拉克
    IR|Iran|Iran|Irán|Iran|イラン|Irã|Иран|伊朗
    IS|Island|Iceland|Islandia|Islande|アイスランド|Islândia|Исландия|冰岛
    IT|Italien|Italy|Italia|Italie|イタリア|Itália|Италия|意大利
    JE|Jersey|Jersey|Jersey|Jersey|ジャージー|Jersey|Джерси|泽西岛
    JM|Jamaika|Jamaica|Jamaica|Jamaïque|ジャマイカ|Jamaica|Ямайка|牙买加
    JO|Jordanien|Jordan|Jordania|Jordanie|ヨルダン|Jordânia|Иордания|约旦
    JP|Japan|Japan|Japón|Japon|日本|Japão|Япония|日本
    KE|Kenia|Kenya|Kenia|Kenya|ケニア|Quênia|Кения|肯尼亚
    KG|Kirgisistan|Kyrgyzstan|Kirguistán|Kirghizstan|キルギス|Quirguistão|Киргизия|吉尔吉斯斯坦
    KH|Kambodscha|Cambodia|Camboya|Cambodge|カンボジア|Camboja|Камбоджа|柬埔寨
    KI|Kiribati|Kiribati|Kiribati|Kiribati|キリバス|Quiribati|Кирибати|基里巴斯
    KM|Komoren|Comoros|Comoras|Comores|コモロ|Comores|Коморы|科摩罗
    KN|St. Kitts und Nevis|St. Kitts & Nevis|San Cristóbal y Nieves|Saint-Christophe-et-Niévès|セントクリストファー・ネーヴィス|São Cristóvão e Névis|Сент-Китс и Невис|圣基茨和尼维斯
    KP|Nordkorea|North Korea|Corea del Norte|Corée du Nord|北朝鮮|Coreia do Norte|КНДР|朝鲜
    KR|Südkorea|South Korea|Corea del Sur|Corée du Sud|韓国|Coreia do Sul|Республика Корея|韩国
    KW|Kuwait|Kuwait|Kuwait|Koweït|クウェート|Kuwait|Кувейт|科威特
    KY|Kaimaninseln|Cayman Islands|Islas Caimán|Îles Caïmans|ケイマン諸島|Ilhas Cayman|о-ва Кайман|开曼群岛
    KZ|Kasachstan|Kazakhstan|Kazajistán|Kazakhstan|カザフスタン|Cazaquistão|Казахстан|哈萨克斯坦
    LA|Laos|Laos|Laos|Laos|ラオス|Laos|Лаос|老挝
    LB|Libanon|Lebanon|Líbano|Liban|レバノン|Líbano|Ливан|黎巴嫩
    LC|St. Lucia|St. Lucia|Santa Lucía|Sainte-Lucie|セントルシア|Santa Lúcia|Сент-Люсия|圣卢西亚
    LI|Liechtenstein|Liechtenstein|Liechtenstein|Liechtenstein|リヒテンシュタイン|Liechtenstein|Лихтенштейн|列支敦士登
    LK|Sri Lanka|Sri Lanka|Sri Lanka|Sri Lanka|スリランカ|Sri Lanka|Шри-Ланка|斯里兰卡
    LR|Liberia|Liberia|Liberia|Liberia|リベリア|Libéria|Либерия|利比里亚
    LS|Lesotho|Lesotho|Lesoto|Lesotho|レソト|Lesoto|Лесото|莱索托
    LT|Litauen|Lithuania|Lituania|Lituanie|リトアニア|Lituânia|Литва|立陶宛
    LU|Luxemburg|Luxembourg|Luxemburgo|Luxembourg|ルクセンブルク|Luxemburgo|Люксембург|卢森堡
    LV|Lettland|Latvia|Letonia|Lettonie|ラトビア|Letônia|Латвия|拉脱维亚
    LY|Libyen|Libya|Libia|Libye|リビア|Líbia|Ливия|利比亚
    MA|Marokko|Morocco|Marruecos|Maroc|モロッコ|Marrocos|Марокко|摩洛哥
    MC|Monaco|Monaco|Mónaco|Monaco|モナコ|Mônaco|Монако|摩纳哥
    MD|Republik Moldau|Moldova|Moldavia|Moldavie|モルドバ|Moldávia|Молдова|摩尔多瓦
    ME|Montenegro|Montenegro|Montenegro|Monténégro|モンテネグロ|Montenegro|Черногория|黑山
    MF|St. Martin|St. Martin|San Martín|Saint-Martin|サン・マルタン|São Martinho|Сен-Мартен|法属圣马丁
    MG|Madagaskar|Madagascar|Madagascar|Madagascar|マダガスカル|Madagascar|Мадагаскар|马达加斯加
    MH|Marshallinseln|Marshall Islands|Islas Marshall|Îles Marshall|マーシャル諸島|Ilhas Marshall|Маршалловы о-ва|马绍尔群岛
    MK|Nordmazedonien|North Macedonia|Macedonia del Norte|Macédoine du Nord|北マケドニア|Macedônia do Norte|Северная Македония|北马其顿
    ML|Mali|Mali|Mali|Mali|マリ|Mali|Мали|马里
    MM|Myanmar|Myanmar (Burma)|Myanmar (Birmania)|Myanmar (Birmanie)|ミャンマー (ビルマ)|Mianmar (Birmânia)|Мьянма (Бирма)|缅甸
    MN|Mongolei|Mongolia|Mongolia|Mongolie|モンゴル|Mongólia|Монголия|蒙古
    MO|Sonderverwaltungsregion Macau|Macao SAR China|RAE de Macao (China)|R.A.S. chinoise de Macao|中華人民共和国マカオ特別行政区|Macau, RAE da China|Макао (САР)|中国澳门特别行政区
    MP|Nördliche Marianen|Northern Mariana Islands|Islas Marianas del Norte|Îles Mariannes du Nord|北マリアナ諸島|Ilhas Marianas do Norte|Северные Марианские о-ва|北马里亚纳群岛
    MQ|Martinique|Martinique|Martinica|Martinique|マルティニーク|Martinica|Мартиника|马提尼克
    MR|Mauretanien|Mauritania|Mauritania|Mauritanie|モーリタニア|Mauritânia|Мавритания|毛里塔尼亚
    MS|Montserrat|Montserrat|Montserrat|Montserrat|モントセラト|Montserrat|Монтсеррат|蒙特塞拉特
    MT|Malta|Malta|Malta|Malte|マルタ|Malta|Мальта|马耳他
    MU|Mauritius|Mauritius|Mauricio|Maurice|モーリシャス|Maurício|Маврикий|毛里求斯
    MV|Malediven|Maldives|Maldivas|Maldives|モルディブ|Maldivas|Мальдивы|马尔代夫
    MW|Malawi|Malawi|Malaui|Malawi|マラウイ|Malaui|Малави|马拉维
    MX|Mexiko|Mexico|México|Mexique|メキシコ|México|Мексика|墨西哥
    MY|Malaysia|Malaysia|Malasia|Malaisie|マレーシア|Malásia|Малайзия|马来西亚
    MZ|Mosambik|Mozambique|Mozambique|Mozambique|モザンビーク|Moçambique|Мозамбик|莫桑比克
    NA|Namibia|Namibia|Namibia|Namibie|ナミビア|Namíbia|Намибия|纳米比亚
    NC|Neukaledonien|New Caledonia|Nueva Caledonia|Nouvelle-Calédonie|ニューカレドニア|Nova Caledônia|Новая Каледония|新喀里多尼亚
    NE|Niger|Niger|Níger|Niger|ニジェール|Níger|Нигер|尼日尔
    NF|Norfolkinsel|Norfolk Island|Isla Norfolk|Île Norfolk|ノーフォーク島|Ilha Norfolk|о-в Норфолк|诺福克岛
    NG|Nigeria|Nigeria|Nigeria|Nigeria|ナイジェリア|Nigéria|Нигерия|尼日利亚
    NI|Nicaragua|Nicaragua|Nicaragua|Nicaragua|ニカラグア|Nicarágua|Никарагуа|尼加拉瓜
    NL|Niederlande|Netherlands|Países Bajos|Pays-Bas|オランダ|Países Baixos|Нидерланды|荷兰
    NO|Norwegen|Norway|Noruega|Norvège|ノルウェー|Noruega|Норвегия|挪威
    NP|Nepal|Nepal|Nepal|Népal|ネパール|Nepal|Непал|尼泊尔
    NR|Nauru|Nauru|Nauru|Nauru|ナウル|Nauru|Науру|瑙鲁
    NU|Niue|Niue|Niue|Niue|ニウエ|Niue|Ниуэ|纽埃
    NZ|Neuseeland|New Zealand|Nueva Zelanda|Nouvelle-Zélande|ニュージーランド|Nova Zelândia|Новая Зеландия|新西兰
    OM|Oman|Oman|Omán|Oman|オマーン|Omã|Оман|阿曼
    PA|Panama|Panama|Panamá|Panama|パナマ|Panamá|Панама|巴拿马
    PE|Peru|Peru|Perú|Pérou|ペルー|Peru|Перу|秘鲁
    PF|Französisch-Polynesien|French Polynesia|Polinesia Francesa|Polynésie française|仏領ポリネシア|Polinésia Francesa|Французская Полинезия|法属波利尼西亚
    PG|Papua-Neuguinea|Papua New Guinea|Papúa Nueva Guinea|Papouasie-Nouvelle-Guinée|パプアニューギニア|Papua-Nova Guiné|Папуа — Новая Гвинея|巴布亚新几内亚
    PH|Philippinen|Philippines|Filipinas|Philippines|フィリピン|Filipinas|Филиппины|菲律宾
    PK|Pakistan|Pakistan|Pakistán|Pakistan|パキスタン|Paquistão|Пакистан|巴基斯坦
    PL|Polen|Poland|Polonia|Pologne|ポーランド|Polônia|Польша|波兰
    PM|St. Pierre und Miquelon|St. Pierre & Miquelon|San Pedro y Miquelón|Saint-Pierre-et-Miquelon|サンピエール島・ミクロン島|São Pedro e Miquelão|Сен-Пьер и Микелон|圣皮埃尔和密克隆群岛
    PN|Pitcairninseln|Pitcairn Islands|Islas Pitcairn|Îles Pitcairn|ピトケアン諸島|Ilhas Pitcairn|о-ва Питкэрн|皮特凯恩群岛
    PR|Puerto Rico|Puerto Rico|Puerto Rico|Porto Rico|プエルトリコ|Porto Rico|Пуэрто-Рико|波多黎各
    PS|Palästinensische Autonomiegebiete|Palestinian Territories|Territorios Palestinos|Territoires palestiniens|パレスチナ自治区|Territórios palestinos|Палестинские территории|巴勒斯坦领土
    PT|Portugal|Portugal|Portugal|Portugal|ポルトガル|Portugal|Португалия|葡萄牙
    PW|Palau|Palau|Palaos|Palaos|パラオ|Palau|Палау|帕劳
    PY|Paraguay|Paraguay|Paraguay|Paraguay|パラグアイ|Paraguai|Парагвай|巴拉圭
    QA|Katar|Qatar|Catar|Qatar|カタール|Catar|Катар|卡塔尔
    RE|Réunion|Réunion|Reunión|La Réunion|レユニオン|Reunião|Реюньон|留尼汪
    RO|Rumänien|Romania|Rumanía|Roumanie|ルーマニア|Romênia|Румыния|罗马尼亚
    RS|Serbien|Serbia|Serbia|Serbie|セルビア|Sérvia|Сербия|塞尔维亚
    RU|Russland|Russia|Rusia|Russie|ロシア|Rússia|Россия|俄罗斯
    RW|Ruanda|Rwanda|Ruanda|Rwanda|ルワンダ|Ruanda|Руанда|卢旺达
    SA|Saudi-Arabien|Saudi Arabia|Arabia Saudí|Arabie saoudite|サウジアラビア|Arábia Saudita|Саудовская Аравия|沙特阿拉伯
    SB|Salomonen|Solomon Islands|Islas Salomón|Îles Salomon|ソロモン諸島|Ilhas Salomão|Соломоновы о-ва|所罗门群岛
    SC|Seychellen|Seychelles|Seychelles|Seychelles|セーシェル|Seicheles|Сейшельские о-ва|塞舌尔
    SD|Sudan|Sudan|Sudán|Soudan|スーダン|Sudão|Судан|苏丹
    SE|Schweden|Sweden|Suecia|Suède|スウェーデン|Suécia|Швеция|瑞典
    SG|Singapur|Singapore|Singapur|Singapour|シンガポール|Singapura|Сингапур|新加坡
    SH|St. Helena|St. Helena|Santa Elena|Sainte-Hélène|セントヘレナ|Santa Helena|о-в Св. Елены|圣赫勒拿
    SI|Slowenien|Slovenia|Eslovenia|Slovénie|スロベニア|Eslovênia|Словения|斯洛文尼亚
    SJ|Spitzbergen und Jan Mayen|Svalbard & Jan Mayen|Svalbard y Jan Mayen|Svalbard et Jan Mayen|スバールバル諸島・ヤンマイエン島|Svalbard e Jan Mayen|Шпицберген и Ян-Майен|斯瓦尔巴和扬马延
    SK|Slowakei|Slovakia|Eslovaquia|Slovaquie|スロバキア|Eslováquia|Словакия|斯洛伐克
    SL|Sierra Leone|Sierra Leone|Sierra Leona|Sierra Leone|シエラレオネ|Serra Leoa|Сьерра-Леоне|塞拉利昂
    SM|San Marino|San Marino|San Marino|Saint-Marin|サンマリノ|San Marino|Сан-Марино|圣马力诺
    SN|Senegal|Senegal|Senegal|Sénégal|セネガル|Senegal|Сенегал|塞内加尔
    SO|Somalia|Somalia|Somalia|Somalie|ソマリア|Somália|Сомали|索马里
    SR|Suriname|Suriname|Surinam|Suriname|スリナム|Suriname|Суринам|苏里南
    SS|Südsudan|South Sudan|Sudán del Sur|Soudan du Sud|南スーダン|Sudão do Sul|Южный Судан|南苏丹
    ST|São Tomé und Príncipe|São Tomé & Príncipe|Santo Tomé y Príncipe|Sao Tomé-et-Principe|サントメ・プリンシペ|São Tomé e Príncipe|Сан-Томе и Принсипи|圣多美和普林西比
    SV|El Salvador|El Salvador|El Salvador|Salvador|エルサルバドル|El Salvador|Сальвадор|萨尔瓦多
    SX|Sint Maarten|Sint Maarten|Sint Maarten|Saint-Martin (partie néerlandaise)|シント・マールテン|Sint Maarten|Синт-Мартен|荷属圣马丁
    SY|Syrien|Syria|Siria|Syrie|シリア|Síria|Сирия|叙利亚
    SZ|Eswatini|Eswatini|Esuatini|Eswatini|エスワティニ|Essuatíni|Эсватини|斯威士兰
    TC|Turks- und Caicosinseln|Turks & Caicos Islands|Islas Turcas y Caicos|Îles Turques-et-Caïques|タークス・カイコス諸島|Ilhas Turcas e Caicos|Тёркс и Кайкос|特克斯和凯科斯群岛
    TD|Tschad|Chad|Chad|Tchad|チャド|Chade|Чад|乍得
    TF|Französische Süd- und Antarktisgebiete|French Southern Territories|Territorios Australes Franceses|Terres australes françaises|仏領極南諸島|Territórios Franceses do Sul|Французские Южные территории|法属南部领地
    TG|Togo|Togo|Togo|Togo|トーゴ|Togo|Того|多哥
    TH|Thailand|Thailand|Tailandia|Thaïlande|タイ|Tailândia|Таиланд|泰国
    TJ|Tadschikistan|Tajikistan|Tayikistán|Tadjikistan|タジキスタン|Tadjiquistão|Таджикистан|塔吉克斯坦
    TK|Tokelau|Tokelau|Tokelau|Tokelau|トケラウ|Tokelau|Токелау|托克劳
    TL|Timor-Leste|Timor-Leste|Timor-Leste|Timor oriental|東ティモール|Timor-Leste|Восточный Тимор|东帝汶
    TM|Turkmenistan|Turkmenistan|Turkmenistán|Turkménistan|トルクメニスタン|Turcomenistão|Туркменистан|土库曼斯坦
    TN|Tunesien|Tunisia|Túnez|Tunisie|チュニジア|Tunísia|Тунис|突尼斯
    TO|Tonga|Tonga|Tonga|Tonga|トンガ|Tonga|Тонга|汤加
    TR|Türkei|Türkiye|Turquía|Turquie|トルコ|Turquia|Турция|土耳其
    TT|Trinidad und Tobago|Trinidad & Tobago|Trinidad y Tobago|Trinité-et-Tobago|トリニダード・トバゴ|Trinidad e Tobago|Тринидад и Тобаго|特立尼达和多巴哥
    TV|Tuvalu|Tuvalu|Tuvalu|Tuvalu|ツバル|Tuvalu|Тувалу|图瓦卢
    TW|Taiwan|Taiwan|Taiwán|Taïwan|台湾|Taiwan|Тайвань|台湾
    TZ|Tansania|Tanzania|Tanzania|Tanzanie|タンザニア|Tanzânia|Танзания|坦桑尼亚
    UA|Ukraine|Ukraine|Ucrania|Ukraine|ウクライナ|Ucrânia|Украина|乌克兰
    UG|Uganda|Uganda|Uganda|Ouganda|ウガンダ|Uganda|Уганда|乌干达
    UM|Amerikanische Überseeinseln|U.S. Outlying Islands|Islas menores alejadas de EE. UU.|Îles mineures éloignées des États-Unis|合衆国領有小離島|Ilhas Menores Distantes dos EUA|Внешние малые о-ва (США)|美国本土外小岛屿
    US|Vereinigte Staaten|United States|Estados Unidos|États-Unis|アメリカ合衆国|Estados Unidos|Соединенные Штаты|美国
    UY|Uruguay|Uruguay|Uruguay|Uruguay|ウルグアイ|Uruguai|Уругвай|乌拉圭
    UZ|Usbekistan|Uzbekistan|Uzbekistán|Ouzbékistan|ウズベキスタン|Uzbequistão|Узбекистан|乌兹别克斯坦
    VA|Vatikanstadt|Vatican City|Ciudad del Vaticano|État de la Cité du Vatican|バチカン市国|Cidade do Vaticano|Ватикан|梵蒂冈
    VC|St. Vincent und die Grenadinen|St. Vincent & Grenadines|San Vicente y las Granadinas|Saint-Vincent-et-les Grenadines|セントビンセント及びグレナディーン諸島|São Vicente e Granadinas|Сент-Винсент и Гренадины|圣文森特和格林纳丁斯
    VE|Venezuela|Venezuela|Venezuela|Venezuela|ベネズエラ|Venezuela|Венесуэла|委内瑞拉
    VG|Britische Jungferninseln|British Virgin Islands|Islas Vírgenes Británicas|Îles Vierges britanniques|英領ヴァージン諸島|Ilhas Virgens Britânicas|Виргинские о-ва (Великобритания)|英属维尔京群岛
    VI|Amerikanische Jungferninseln|U.S. Virgin Islands|Islas Vírgenes de EE. UU.|Îles Vierges des États-Unis|米領ヴァージン諸島|Ilhas Virgens Americanas|Виргинские о-ва (США)|美属维尔京群岛
    VN|Vietnam|Vietnam|Vietnam|Viêt Nam|ベトナム|Vietnã|Вьетнам|越南
    VU|Vanuatu|Vanuatu|Vanuatu|Vanuatu|バヌアツ|Vanuatu|Вануату|瓦努阿图
    WF|Wallis und Futuna|Wallis & Futuna|Wallis y Futuna|Wallis-et-Futuna|ウォリス・フツナ|Wallis e Futuna|Уоллис и Футуна|瓦利斯和富图纳
    WS|Samoa|Samoa|Samoa|Samoa|サモア|Samoa|Самоа|萨摩亚
    XK|Kosovo|Kosovo|Kosovo|Kosovo|コソボ|Kosovo|Косово|科索沃
    YE|Jemen|Yemen|Yemen|Yémen|イエメン|Iêmen|Йемен|也门
    YT|Mayotte|Mayotte|Mayotte|Mayotte|マヨット|Mayotte|Майотта|马约特
    ZA|Südafrika|South Africa|Sudáfrica|Afrique du Sud|南アフリカ|África do Sul|Южно-Африканская Республика|南非
    ZM|Sambia|Zambia|Zambia|Zambie|ザンビア|Zâmbia|Замбия|赞比亚
    ZW|Simbabwe|Zimbabwe|Zimbabue|Zimbabwe|ジンバブエ|Zimbábue|Зимбабве|津巴布韦
    """
}
